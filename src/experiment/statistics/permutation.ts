import type { Rng } from "../../core/rng.ts";

/** All sign patterns are tried up to this many pairs: 2¹⁴ of them. */
const EXACT_PAIRS = 14;
const DRAWS = 10_000;

/**
 * Probability of a mean difference at least as large, either way, if each pair were as likely the other way round. Needs no assumption
 * about how values are spread, but many pairs: with n of them it is never below 2 / 2ⁿ.
 */
export function signFlipTest(a: readonly number[], b: readonly number[], rng: Rng): number {
  const differences = a.map((value, k) => value - b[k]);
  const observed = Math.abs(sum(differences)) - 1e-12; // equal sums that were added in another order count as equal
  const isExact = differences.length <= EXACT_PAIRS;
  const trials = isExact ? 2 ** differences.length : DRAWS;
  let asLarge = isExact ? 0 : 1; // the pattern that was observed is one of the draws
  for (let pattern = 0; pattern < trials; pattern++) {
    const flipped = differences.map((value, k) => (isFlipped(pattern, k, isExact, rng) ? -value : value));
    if (Math.abs(sum(flipped)) >= observed) asLarge++;
  }
  return asLarge / (isExact ? trials : trials + 1);
}

function isFlipped(pattern: number, pair: number, isExact: boolean, rng: Rng): boolean {
  return isExact ? ((pattern >> pair) & 1) === 1 : rng.uniform() < 0.5;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
