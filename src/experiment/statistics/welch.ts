import type { Difference, Sample } from "./sample.ts";
import { studentCdf, studentQuantile } from "./student-t.ts";

/**
 * Compares two means by the spreads of both samples, which need not be equal (Welch 1947). `confidence` is that of the
 * interval.
 */
export function welch(a: Sample, b: Sample, confidence = 0.95): Difference {
  const difference = a.mean - b.mean;
  if (a.standardDeviation === null || b.standardDeviation === null) return withoutSpread(difference);
  const varianceA = a.standardDeviation ** 2 / a.count; // of the mean
  const varianceB = b.standardDeviation ** 2 / b.count;
  const error = Math.sqrt(varianceA + varianceB);
  const freedom = error ** 4 / (varianceA ** 2 / (a.count - 1) + varianceB ** 2 / (b.count - 1)); // Satterthwaite
  return byStudent(difference, error, freedom, confidence);
}

/** Compares the means of paired values, such as those of the same seeds, by the spread of their differences. */
export function paired(a: readonly number[], b: readonly number[], confidence = 0.95): Difference {
  const differences = a.map((value, k) => value - b[k]);
  const count = differences.length;
  const difference = differences.reduce((sum, value) => sum + value, 0) / count;
  if (count < 2) return withoutSpread(difference);
  const squares = differences.reduce((sum, value) => sum + (value - difference) ** 2, 0);
  return byStudent(difference, Math.sqrt(squares / (count - 1) / count), count - 1, confidence);
}

function byStudent(difference: number, standardError: number, freedom: number, confidence: number): Difference {
  if (standardError === 0) {
    return { difference, standardError, interval: [difference, difference], pValue: difference === 0 ? 1 : 0 };
  }
  const reach = studentQuantile((1 + confidence) / 2, freedom) * standardError;
  const pValue = 2 * studentCdf(-Math.abs(difference) / standardError, freedom);
  return { difference, standardError, interval: [difference - reach, difference + reach], pValue };
}

function withoutSpread(difference: number): Difference {
  return { difference, standardError: null, interval: null, pValue: null };
}
