import type { Rng } from "./rng.ts";

/** Draws indices with probability proportional to fixed weights, by binary search in their running sums. */
export class WeightedChoice {
  private readonly sums: Float64Array;

  constructor(weights: ArrayLike<number>) {
    this.sums = new Float64Array(weights.length + 1);
    for (let k = 0; k < weights.length; k++) this.sums[k + 1] = this.sums[k] + weights[k];
  }

  /** One of the first `count` indices (all by default), or −1 if their weights sum to 0. */
  draw(rng: Rng, count = this.sums.length - 1): number {
    return this.at(rng.uniform(), count);
  }

  /**
   * The first index whose running sum exceeds share `u` in [0, 1) of the sum of the first `count` weights. For callers
   * that have their own random bits.
   */
  at(u: number, count = this.sums.length - 1): number {
    const total = this.sums[count];
    if (!(total > 0)) return -1;
    const mark = u * total;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.sums[middle + 1] > mark) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
