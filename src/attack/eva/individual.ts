/**
 * A set of flips, written as what differs from the incumbent: pairs by their keys. The population gathers around its best member, so
 * that this is small, and so is the cost of evaluating it. Memory grows with budget and population, never with n².
 */
export interface Individual {
  readonly delta: Delta;
  /** What the objective wants to lower. */
  readonly score: number;
  /** The score, and what it does not show of the way to a lower one. Lower is better. */
  readonly fitness: number;
}

/** Pairs to toggle. */
export type Delta = ReadonlySet<number>;

/** What is in one of two sets and not in the other. */
export function symmetricDifference(a: Iterable<number>, b: Iterable<number>): Set<number> {
  const both = new Set(a);
  for (const key of b) if (!both.delete(key)) both.add(key);
  return both;
}
