/**
 * NumPy's legacy generator (`numpy.random.RandomState`), bit by bit: MT19937 with its bounded integers and its
 * permutation. Published splits were drawn with it, so the same seeds give the same splits here.
 */
export class NumpyRandom {
  private readonly state = new Uint32Array(624);
  private used = 624;

  constructor(seed: number) {
    this.state[0] = seed >>> 0;
    for (let i = 1; i < 624; i++) {
      const before = this.state[i - 1] ^ (this.state[i - 1] >>> 30);
      this.state[i] = Math.imul(1812433253, before) + i;
    }
  }

  /** The next 32 random bits. */
  next32(): number {
    if (this.used === 624) this.twist();
    let word = this.state[this.used++];
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  /** Uniform over 0 … max: masked words, drawn again while they are too large. `max = 0` draws nothing. */
  interval(max: number): number {
    if (max === 0) return 0;
    const mask = 0xffffffff >>> Math.clz32(max);
    let value = (this.next32() & mask) >>> 0;
    while (value > max) value = (this.next32() & mask) >>> 0;
    return value;
  }

  /** Shuffles `items` in place as `RandomState.shuffle` does, and returns them. */
  permute<T extends { readonly length: number; [index: number]: number }>(items: T): T {
    for (let i = items.length - 1; i >= 1; i--) {
      const j = this.interval(i);
      const swapped = items[i];
      items[i] = items[j];
      items[j] = swapped;
    }
    return items;
  }

  /** `count` of 0 … total − 1 without replacement, as `RandomState.choice(total, count, replace=False)`. */
  sample(total: number, count: number): Int32Array {
    return this.permute(Int32Array.from({ length: total }, (_, i) => i)).slice(0, count);
  }

  private twist(): void {
    const { state } = this;
    for (let i = 0; i < 624; i++) {
      const y = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7fffffff);
      state[i] = state[(i + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.used = 0;
  }
}
