import { inverseIncompleteBeta } from "../core/incomplete-beta.ts";

/**
 * The bounds of Clopper and Pearson (1934) on a probability from `successes` in `trials` independent tries: the probability lies
 * below the lower bound, or above the upper one, in at most a share `level` of all experiments. Exact, not an approximation.
 */
export function lowerBound(successes: number, trials: number, level: number): number {
  if (successes === 0) return 0;
  return inverseIncompleteBeta(level, successes, trials - successes + 1);
}

/** The upper bound: 1 minus the lower bound on the failures. */
export function upperBound(successes: number, trials: number, level: number): number {
  return 1 - lowerBound(trials - successes, trials, level);
}
