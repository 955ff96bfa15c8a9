/**
 * A set of flips, stored as its difference from the incumbent: the keys of the pairs that differ. The population
 * gathers around its best member, so that differences are small and cheap to evaluate. Memory grows with budget and
 * population, never with n².
 */
export interface Individual {
  readonly delta: Delta;
  /** What the objective wants to lower. */
  readonly score: number;
  /** The score plus the weighted potential, which shows progress that the score does not. Lower is better. */
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
