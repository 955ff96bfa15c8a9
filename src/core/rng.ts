import { type Key, philox } from "./philox.ts";

/** The state of a generator, as plain numbers. */
export interface RngState {
  readonly counter: number;
  readonly used: number;
  readonly spare: number | null;
}

/**
 * A seeded stream of random numbers on the host. Code that draws numbers is handed one; there is no global stream.
 *
 * @example
 * const rng = new Rng(7);
 * rng.uniform(); // in [0, 1)
 * rng.integer(6); // 0 … 5
 */
export class Rng {
  private readonly words = new Uint32Array(4);
  private counter = 0;
  private used = 4;
  private spare: number | undefined;
  private readonly key: Key;
  readonly seed: number;
  /** Separates the uses of one seed, such as initialisation and dropout. */
  readonly stream: number;

  constructor(seed: number, stream = 0) {
    this.seed = seed;
    this.stream = stream;
    this.key = { lo: seed >>> 0, hi: (Math.floor(seed / 0x1_0000_0000) ^ stream) >>> 0 };
  }

  /** The next 32 random bits. */
  next32(): number {
    if (this.used === 4) {
      philox(this.words, this.key, this.counter >>> 0, Math.floor(this.counter / 0x1_0000_0000), this.stream >>> 0);
      this.counter++;
      this.used = 0;
    }
    return this.words[this.used++];
  }

  /** Uniform in [0, 1) with 53 bits. */
  uniform(): number {
    return ((this.next32() >>> 5) * 67_108_864 + (this.next32() >>> 6)) / 2 ** 53;
  }

  /** Uniform over the integers 0 … bound − 1, for bounds up to 2^53. */
  integer(bound: number): number {
    if (bound <= 1) return 0;
    if (bound > 2 ** 32) return Math.floor(this.uniform() * bound);
    const limit = 2 ** 32 - (2 ** 32 % bound); // reject the incomplete last round, so that no value is favoured
    let word = this.next32();
    while (word >= limit) word = this.next32();
    return word % bound;
  }

  /** Standard normal, by Box and Muller. */
  normal(): number {
    if (this.spare !== undefined) {
      const value = this.spare;
      this.spare = undefined;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    const angle = 2 * Math.PI * this.uniform();
    this.spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  /** Shuffles `items` in place (Fisher and Yates) and returns them. */
  shuffle<T extends { length: number; [index: number]: number }>(items: T): T {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.integer(i + 1);
      const swapped = items[i];
      items[i] = items[j];
      items[j] = swapped;
    }
    return items;
  }

  /** A fresh key for a kernel that draws its own bits on the device. */
  nextKey(): Key {
    return { lo: this.next32(), hi: this.next32() };
  }

  /** The current state, for {@link restore}. */
  state(): RngState {
    const { counter, used, spare = null } = this;
    return { counter, used, spare };
  }

  /** Continues from the state of a generator with the same seed and stream. */
  restore({ counter, used, spare }: RngState): void {
    this.spare = spare ?? undefined;
    this.used = 4;
    this.counter = used < 4 ? counter - 1 : counter; // the words in use are drawn again
    if (used === 4) return;
    this.next32();
    this.used = used;
  }

  /** An independent generator: how much one consumer draws does not change what another gets. */
  fork(): Rng {
    return new Rng(this.next32() * 0x20_0000 + (this.next32() >>> 11), this.next32());
  }
}
