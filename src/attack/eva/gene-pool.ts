import type { Rng } from "../../core/rng.ts";
import type { PairKeys } from "./pair-keys.ts";

/** Bounds of the number of further flips that are remembered, which else is twice the budget. */
const FEWEST = 256;
const MOST = 8192;
/** How far one trial moves the worth of a node towards its own gain. */
const LEARNING = 0.05;
/** Draws prefer the front of a list: the place is the length times u^BIAS. */
const BIAS = 3;

/**
 * What single pairs did when they were last tried at an incumbent: the gain of further flips that paid, and the cost of
 * dropping a flip. Mutation draws from it. A gain becomes outdated as the incumbent changes; a pair that is tried again
 * gets a new one.
 */
export class GenePool {
  /** By how much each node helped lately, as an end of a pair: a moving average. */
  readonly worth: Float64Array;
  private readonly keys: PairKeys;
  private readonly capacity: number;
  private readonly gains = new Map<number, number>();
  private readonly costs = new Map<number, number>();
  private rankedAdditions: number[] = [];
  private rankedDrops: number[] = [];

  constructor(keys: PairKeys, numNodes: number, budget: number) {
    this.keys = keys;
    this.worth = new Float64Array(numNodes);
    this.capacity = Math.min(Math.max(2 * budget, FEWEST), MOST);
  }

  /** Further flips that paid, the best first. */
  get additions(): readonly number[] {
    return this.rankedAdditions;
  }

  /** Flips of the incumbent that can be done without, the most dispensable first. */
  get drops(): readonly number[] {
    return this.rankedDrops;
  }

  gainOf(addition: number): number {
    return this.gains.get(addition) ?? 0;
  }

  costOf(drop: number): number {
    return this.costs.get(drop) ?? 0;
  }

  knowsCostOf(flip: number): boolean {
    return this.costs.has(flip);
  }

  /** Records that a further flip changed the fitness by `gain`; below 0 it paid. */
  learnAddition(key: number, gain: number): void {
    const won = Math.max(0, -gain);
    for (const node of [this.keys.source(key), this.keys.target(key)]) {
      this.worth[node] += LEARNING * (won - this.worth[node]);
    }
    if (won > 0) this.gains.set(key, gain);
    else this.gains.delete(key);
  }

  /** Records that dropping a flip changed the fitness by `cost`. */
  learnDrop(key: number, cost: number): void {
    this.costs.set(key, cost);
  }

  /** Forgets what was learned of these pairs: the incumbent has changed in them. */
  forget(keys: Iterable<number>): void {
    for (const key of keys) {
      this.gains.delete(key);
      this.costs.delete(key);
    }
  }

  /** Puts what was learned in order, and forgets the weakest additions beyond its capacity. */
  rank(): void {
    this.rankedAdditions = byValue(this.gains);
    for (const key of this.rankedAdditions.splice(this.capacity)) this.gains.delete(key);
    this.rankedDrops = byValue(this.costs);
  }
}

/** A random element of a ranked list, more often one near the front; undefined if it is empty. */
export function drawRanked(ranked: readonly number[], rng: Rng): number | undefined {
  return ranked[Math.floor(ranked.length * rng.uniform() ** BIAS)];
}

function byValue(values: ReadonlyMap<number, number>): number[] {
  return [...values].sort(([a, x], [b, y]) => x - y || a - b).map(([key]) => key);
}
