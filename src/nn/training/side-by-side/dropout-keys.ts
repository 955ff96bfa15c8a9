import type { Backend, Buffer, KeyPerModel } from "../../../backend/backend.ts";
import type { Key } from "../../../core/philox.ts";
import type { Rng } from "../../../core/rng.ts";

/** Number of layers whose keys are drawn and uploaded together: an upload takes about as long as two kernels. */
const AHEAD = 128;

/** The dropout keys of models, layer after layer. Each model draws from its own random numbers, as if trained alone. */
export class DropoutKeys {
  private readonly backend: Backend;
  private readonly rngs: readonly Rng[];
  private readonly words: Buffer;
  private drawn: readonly (readonly Key[])[] = [];
  private next = AHEAD;

  constructor(backend: Backend, rngs: readonly Rng[]) {
    this.backend = backend;
    this.rngs = rngs;
    this.words = backend.alloc("i32", AHEAD * 2 * rngs.length);
  }

  /**
   * The keys of the next layer with dropout. Every {@link AHEAD} calls overwrite the keys on the device, so kernels
   * that use the old ones must be launched before.
   */
  draw(): KeyPerModel {
    if (this.next === AHEAD) this.drawAhead();
    const layer = this.next++;
    return { keys: this.drawn[layer], words: this.words, first: layer * 2 * this.rngs.length };
  }

  /** The keys of some of the models, in this order. Do not draw from this object afterwards. */
  only(chosen: readonly number[]): DropoutKeys {
    const some = new DropoutKeys(
      this.backend,
      chosen.map((g) => this.rngs[g]),
    );
    some.send(this.drawn.map((keys) => chosen.map((g) => keys[g])));
    some.next = this.next;
    return some;
  }

  dispose(): void {
    this.backend.free(this.words);
  }

  private drawAhead(): void {
    this.send(Array.from({ length: AHEAD }, () => this.rngs.map((rng) => rng.nextKey())));
    this.next = 0;
  }

  private send(drawn: readonly (readonly Key[])[]): void {
    this.drawn = drawn;
    this.backend.write(this.words, Int32Array.from(drawn.flat().flatMap(({ lo, hi }) => [lo, hi])));
  }
}
