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
  /** Further flips of a child beyond the first, on average. */
  readonly strength: number;
}

/** Adds a few flips to a child, and sometimes takes one back; what goes beyond the budget is for repair. */
export function mutate(child: Set<number>, { pool, fresh, rng, strength }: MutationSource): void {
  const count = 1 + Math.floor(-Math.log(1 - rng.uniform()) * strength);
  for (let k = 0; k < count; k++) {
    const known = rng.uniform() < UNTRIED ? undefined : drawRanked(pool.additions, rng);
    const key = known ?? fresh.draw();
    if (key !== null) child.add(key);
  }
  const dispensable = rng.uniform() < GIVES_UP ? drawRanked(pool.drops, rng) : undefined;
  if (dispensable !== undefined) child.add(dispensable);
}
