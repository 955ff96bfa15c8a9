import type { Rng } from "../../core/rng.ts";
import type { FreshPairs } from "./fresh-pairs.ts";
import { drawRanked, type GenePool } from "./gene-pool.ts";

/** Share of the mutations that bring in a pair nobody has tried, rather than one that paid before. */
const UNTRIED = 0.1;
/** Share of the children that give up a flip besides those that the budget takes. */
const GIVES_UP = 0.3;

/** Where new genes come from, and how many a child gets. */
export interface MutationSource {
  readonly pool: GenePool;
  readonly fresh: FreshPairs;
  readonly rng: Rng;
  /** Half of the children get so many flips beyond the first, or more. */
  readonly strength: number;
  /** The most that any child gets. */
  readonly most: number;
}

/**
 * Adds flips to a child, a few or, now and then, many: their number has a heavy tail (Doerr et al. 2017), which fits both ends of a
 * search. Sometimes takes one back; what goes beyond the budget is for repair.
 */
export function mutate(child: Set<number>, { pool, fresh, rng, strength, most }: MutationSource): void {
  const count = Math.min(most, 1 + Math.floor(strength * (1 / (1 - rng.uniform()) - 1)));
  for (let k = 0; k < count; k++) {
    const known = rng.uniform() < UNTRIED ? undefined : drawRanked(pool.additions, rng);
    const key = known === undefined || child.has(known) ? fresh.draw() : known;
    if (key !== null) child.add(key);
  }
  const dispensable = rng.uniform() < GIVES_UP ? drawRanked(pool.drops, rng) : undefined;
  if (dispensable !== undefined) child.add(dispensable);
}
