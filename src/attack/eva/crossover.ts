import type { Rng } from "../../core/rng.ts";
import type { Delta } from "./individual.ts";

/** What both parents have, and every other pair of either by chance. */
export function uniformCrossover(a: Delta, b: Delta, rng: Rng): Set<number> {
  const child = new Set<number>();
  for (const key of a) if (b.has(key) || rng.uniform() < 0.5) child.add(key);
  for (const key of b) if (!a.has(key) && rng.uniform() < 0.5) child.add(key);
  return child;
}

/**
 * What the parents have changed about the incumbent, all of it: improvements found apart from each other come together. Most flips do
 * not reach the same nodes, so that their effects add up.
 */
export function unite(parents: Iterable<Delta>): Set<number> {
  const child = new Set<number>();
  for (const parent of parents) for (const key of parent) child.add(key);
  return child;
}
