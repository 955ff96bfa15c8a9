import { check } from "../core/errors.ts";

/** Mean of a measurement over several seeds. */
export interface MeanError {
  readonly mean: number;
  /** Standard error of the mean; null for a single value, from which it cannot be estimated. */
  readonly standardError: number | null;
}

/** The mean of values, and its standard error. */
export function meanError(values: readonly number[]): MeanError {
  check(values.length > 0, () => "meanError: there are no values");
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length === 1) return { mean, standardError: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, standardError: Math.sqrt(squares / (values.length - 1) / values.length) };
}

/**
 * {@link meanError} of every number in records of the same structure, nested ones included: one record of means, one of
 * errors.
 */
export function meanErrorOf<T extends object>(records: readonly T[]): { mean: T; standardError: NumbersOrNull<T> } {
  const pick = (which: keyof MeanError) => (values: readonly number[]) => meanError(values)[which];
  return {
    mean: combine(records, pick("mean")) as T,
    standardError: combine(records, pick("standardError")) as NumbersOrNull<T>,
  };
}

/** `T` with null allowed for every number. */
export type NumbersOrNull<T> = { [Key in keyof T]: T[Key] extends number ? number | null : NumbersOrNull<T[Key]> };

function combine(records: readonly object[], join: (values: readonly number[]) => number | null): object {
  const joined = Object.entries(records[0]).map(([key, first]) => {
    const values = records.map((record) => (record as Record<string, unknown>)[key]);
    return [key, typeof first === "number" ? join(values as number[]) : combine(values as object[], join)];
  });
  return Object.fromEntries(joined);
}
