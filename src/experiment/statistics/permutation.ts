import type { Rng } from "../../core/rng.ts";

/** Up to this many pairs, all sign patterns are tried: 2¹⁴ at most. */
const EXACT_PAIRS = 14;
const DRAWS = 10_000;

/**
 * Probability of a mean difference at least as large, in either direction, if swapping the values of any pair were
 * equally likely. Assumes nothing about the distribution of values, but needs many pairs: with n of them it is never
 * below 2 / 2ⁿ.
 */
export function signFlipTest(a: readonly number[], b: readonly number[], rng: Rng): number {
  const differences = a.map((value, k) => value - b[k]);
  const observed = Math.abs(sum(differences)) - 1e-12; // sums added in another order count as equal
  const isExact = differences.length <= EXACT_PAIRS;
  const trials = isExact ? 2 ** differences.length : DRAWS;
  let asLarge = isExact ? 0 : 1; // counts the observed pattern as a draw
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
