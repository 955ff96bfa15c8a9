import { meanError } from "../../experiment/mean-error.ts";
import { paired } from "../../experiment/statistics/welch.ts";

/** The mean of repeated measurements, and how sure it is. */
export interface MeanInterval {
  readonly mean: number;
  /** Null for a single value, like the interval. */
  readonly standardError: number | null;
  /** Where the true mean lies with 95% confidence, by Student's t distribution. */
  readonly interval: readonly [number, number] | null;
  readonly count: number;
}

/** Of accuracies and other shares: the interval ends at 0 and 1. */
export function meanOfShares(values: readonly number[]): MeanInterval {
  const { mean, standardError } = meanError(values);
  const { interval } = paired(
    values,
    values.map(() => 0), // the mean of differences to nothing
  );
  const within = interval && ([Math.max(0, interval[0]), Math.min(1, interval[1])] as const);
  return { mean, standardError, interval: within, count: values.length };
}
