import { check } from "../../core/errors.ts";

/** What is known of repeated measurements: enough to compare means. */
export interface Sample {
  readonly mean: number;
  /** With n − 1 in the denominator; null for a single value, which says nothing about it. */
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

/** How two means differ, and how sure that is. */
export interface Difference {
  /** The first minus the second. */
  readonly difference: number;
  /** Of the difference; null if the spread is unknown. */
  readonly standardError: number | null;
  /** Where the true difference lies with the confidence that was asked for; null if the spread is unknown. */
  readonly interval: readonly [number, number] | null;
  /** Probability of a difference at least as large, either way, if there were none; null if the spread is unknown. */
  readonly pValue: number | null;
}
