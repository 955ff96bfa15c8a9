import type { Backend, Buffer, KeyPerModel } from "../../../backend/backend.ts";
import type { Key } from "../../../core/philox.ts";
import type { Rng } from "../../../core/rng.ts";

/** Keys are drawn and uploaded for about so many layers at once: an upload takes about as long as two kernels. */
const AHEAD = 128;

/** The dropout keys of models, layer after layer. Each model draws from its own random numbers, as if trained alone. */
export class DropoutKeys {
  private readonly backend: Backend;
  private readonly rngs: readonly Rng[];
  private readonly layers: number;
  /** A multiple of the layers of a pass: new keys overwrite the old ones between two passes, never within one. */
  private readonly ahead: number;
  private readonly words: Buffer;
  private drawn: readonly (readonly Key[])[] = [];
  private next: number;

  /** `layers`: how many layers of a pass have dropout. */
  constructor(backend: Backend, rngs: readonly Rng[], layers: number) {
    this.backend = backend;
    this.rngs = rngs;
    this.layers = layers;
    this.ahead = layers * Math.max(1, Math.floor(AHEAD / Math.max(1, layers)));
    this.next = this.ahead;
    this.words = backend.alloc("i32", this.ahead * 2 * rngs.length);
  }

  /** The keys of the next layer with dropout. The kernels of a pass must be launched before the next pass draws. */
  draw(): KeyPerModel {
    if (this.next === this.ahead) this.drawAhead();
    const layer = this.next++;
    return { keys: this.drawn[layer], words: this.words, first: layer * 2 * this.rngs.length };
  }

  /** The keys of some of the models, in this order. Do not draw from this object afterwards. */
  only(chosen: readonly number[]): DropoutKeys {
    const some = new DropoutKeys(
      this.backend,
      chosen.map((g) => this.rngs[g]),
      this.layers,
    );
    some.send(this.drawn.map((keys) => chosen.map((g) => keys[g])));
    some.next = this.next;
    return some;
  }

  dispose(): void {
    this.backend.free(this.words);
  }

  private drawAhead(): void {
    this.send(Array.from({ length: this.ahead }, () => this.rngs.map((rng) => rng.nextKey())));
    this.next = 0;
  }

  private send(drawn: readonly (readonly Key[])[]): void {
    this.drawn = drawn;
    this.backend.write(this.words, Int32Array.from(drawn.flat().flatMap(({ lo, hi }) => [lo, hi])));
  }
}
