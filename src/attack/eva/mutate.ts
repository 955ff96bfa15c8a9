import type { Rng } from "../../core/rng.ts";
import type { FreshPairs } from "./fresh-pairs.ts";
import { drawRanked, type GenePool } from "./gene-pool.ts";

/** Share of the mutations that add a fresh pair rather than one that paid before. */
const UNTRIED = 0.1;
/** Share of the children that drop a flip, besides those dropped for the budget. */
const GIVES_UP = 0.3;

/** Where new genes come from, and how many a child gets. */
export interface MutationSource {
  readonly pool: GenePool;
  readonly fresh: FreshPairs;
  readonly rng: Rng;
  /** Median number of flips that a child gets beyond the first. */
  readonly strength: number;
  /** The most that any child gets. */
  readonly most: number;
}

/**
 * Adds flips to a child: mostly few, now and then many. Their number has a heavy tail (Doerr et al. 2017), which suits
 * both the start and the end of a search. Sometimes drops a flip. The child may exceed the budget until it is repaired.
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
