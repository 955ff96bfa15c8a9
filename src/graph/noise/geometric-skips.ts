import type { Rng } from "../../core/rng.ts";

/**
 * Draws how many places to skip until the next one that noise changes, if it changes each with this probability. This
 * takes one draw per change rather than one per place, of which a graph has n².
 */
export class GeometricSkips {
  private readonly rng: Rng;
  private readonly logOfKeeping: number;

  constructor(rng: Rng, probability: number) {
    this.rng = rng;
    this.logOfKeeping = Math.log1p(-probability);
  }

  /** k with probability (1 − p)^k p; infinite if nothing ever changes. */
  next(): number {
    if (this.logOfKeeping === 0) return Number.POSITIVE_INFINITY;
    return Math.floor(Math.log(1 - this.rng.uniform()) / this.logOfKeeping);
  }
}
