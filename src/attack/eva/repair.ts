import type { Rng } from "../../core/rng.ts";
import { Allowance } from "../constraints/allowance.ts";
import type { Constraints } from "../constraints/constraints.ts";
import { drawRanked, type GenePool } from "./gene-pool.ts";
import type { Incumbent } from "./incumbent.ts";

/** Draws of a dispensable flip, per flip over budget, before additions are taken back instead. */
const TRIES = 20;

/** What individuals are kept within. */
export interface Bounds {
  readonly budget: number;
  readonly constraints: Constraints | undefined;
}

/**
 * Makes a child obey its bounds: leaves out flips that nodes have no room for, and drops dispensable ones if there are
 * too many.
 */
export class Repair {
  private readonly incumbent: Incumbent;
  private readonly pool: GenePool;
  private readonly bounds: Bounds;
  private readonly rng: Rng;

  constructor(incumbent: Incumbent, pool: GenePool, bounds: Bounds, rng: Rng) {
    this.incumbent = incumbent;
    this.pool = pool;
    this.bounds = bounds;
    this.rng = rng;
  }

  /** Changes `child`, and returns it. */
  apply(child: Set<number>): Set<number> {
    if (this.bounds.constraints?.hasLimits) this.keepLimits(child);
    this.keepBudget(child);
    return child;
  }

  private keepBudget(child: Set<number>): void {
    const excess = this.incumbent.sizeWith(child) - this.bounds.budget;
    if (excess <= 0) return;
    const untried = [...this.incumbent.flips].filter((flip) => !this.pool.knowsCostOf(flip));
    let left = excess;
    for (let tries = 0; left > 0 && tries < TRIES * excess; tries++) {
      const drop = this.drawDrop(untried);
      if (drop === undefined || child.has(drop)) continue;
      child.add(drop);
      left--;
    }
    if (left > 0) for (const key of this.someAdditions(child, left)) child.delete(key);
  }

  /**
   * A flip to drop: one that was never tried, as often as such flips occur in the incumbent, else a dispensable one.
   */
  private drawDrop(untried: readonly number[]): number | undefined {
    const { incumbent, pool, rng } = this;
    if (rng.uniform() * incumbent.flips.size < untried.length) return untried[rng.integer(untried.length)];
    return drawRanked(pool.drops, rng);
  }

  private someAdditions(child: Set<number>, count: number): number[] {
    const added = [...child].filter((key) => !this.incumbent.flips.has(key));
    const order = this.rng.shuffle(Int32Array.from(added.keys()));
    return Array.from(order.subarray(0, count), (place) => added[place]);
  }

  private keepLimits(child: Set<number>): void {
    const { incumbent } = this;
    const { keys } = incumbent;
    const stays = [...incumbent.flips].filter((key) => !child.has(key));
    const allowance = new Allowance(this.bounds.constraints, keys.toFlips(stays));
    for (const key of child) {
      const isAddition = !incumbent.flips.has(key);
      if (isAddition && !allowance.take(keys.source(key), keys.target(key))) child.delete(key);
    }
  }
}
