import { check } from "../../core/errors.ts";

/** Summary of repeated measurements: enough to compare means. */
export interface Sample {
  readonly mean: number;
  /** With n − 1 in the denominator; null for a single value, which has no spread. */
  readonly standardDeviation: number | null;
  readonly count: number;
}

/** The sample of some values. */
export function sampleOf(values: readonly number[]): Sample {
  check(values.length > 0, () => "sampleOf: there are no values");
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, standardDeviation: count < 2 ? null : Math.sqrt(squares / (count - 1)), count };
}

/** The difference of two means, and its uncertainty. */
export interface Difference {
  /** The first minus the second. */
  readonly difference: number;
  /** Standard error of the difference; null if the spread is unknown. */
  readonly standardError: number | null;
  /** Confidence interval of the true difference; null if the spread is unknown. */
  readonly interval: readonly [number, number] | null;
  /**
   * Probability of a difference at least as large, in either direction, if the true one is 0; null if the spread is
   * unknown.
   */
  readonly pValue: number | null;
}
