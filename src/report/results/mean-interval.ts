import { meanError } from "../../experiment/mean-error.ts";
import { paired } from "../../experiment/statistics/welch.ts";

/** The mean of repeated measurements, with its error and interval. */
export interface MeanInterval {
  readonly mean: number;
  /** Standard error of the mean; null for a single value, as is the interval. */
  readonly standardError: number | null;
  /** 95% confidence interval of the mean, by Student's t distribution. */
  readonly interval: readonly [number, number] | null;
  readonly count: number;
}

/** The mean of accuracies or other shares; the interval is clipped to 0 … 1. */
export function meanOfShares(values: readonly number[]): MeanInterval {
  const { mean, standardError } = meanError(values);
  const { interval } = paired(
    values,
    values.map(() => 0), // the mean of differences to 0
  );
  const within = interval && ([Math.max(0, interval[0]), Math.min(1, interval[1])] as const);
  return { mean, standardError, interval: within, count: values.length };
}
