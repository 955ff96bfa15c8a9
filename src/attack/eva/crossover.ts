import type { Rng } from "../../core/rng.ts";
import type { Delta } from "./individual.ts";

/** The pairs that both parents have, and every other pair of either with probability ½. */
export function uniformCrossover(a: Delta, b: Delta, rng: Rng): Set<number> {
  const child = new Set<number>();
  for (const key of a) if (b.has(key) || rng.uniform() < 0.5) child.add(key);
  for (const key of b) if (!a.has(key) && rng.uniform() < 0.5) child.add(key);
  return child;
}

/**
 * All changes of the parents to the incumbent, so that improvements found separately come together. Most flips do not
 * reach the same nodes, so their effects add up.
 */
export function unite(parents: Iterable<Delta>): Set<number> {
  const child = new Set<number>();
  for (const parent of parents) for (const key of parent) child.add(key);
  return child;
}
