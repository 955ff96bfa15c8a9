import { meanErrorOf } from "./mean-error.ts";
import type { RobustnessResult } from "./robustness.ts";

/** Standard errors of accuracies, by model; null where there is one seed only. */
type Errors = Readonly<Record<string, number | null>>;

/** Standard errors of a comparison: on the clean graph, and of each row. */
export interface RobustnessErrors {
  readonly clean: Errors;
  readonly rows: readonly { readonly accuracy: Errors }[];
}

/** The mean of comparisons that differ by seed alone, none of them interrupted, and its standard errors. */
export function averageRobustness(results: readonly RobustnessResult[]): {
  mean: RobustnessResult;
  standardError: RobustnessErrors;
} {
  const clean = meanErrorOf(results.map((result) => result.clean));
  const rows = results[0].rows.map(({ attack, epsilon }, r) => {
    const numbers = results.map(({ rows }) => {
      const { numFlips, seconds, accuracy } = rows[r];
      return { numFlips, seconds, accuracy };
    });
    const { mean, standardError } = meanErrorOf(numbers);
    return { mean: { attack, epsilon, ...mean }, standardError: { accuracy: standardError.accuracy } };
  });
  return {
    mean: { clean: clean.mean, rows: rows.map(({ mean }) => mean), interrupted: false },
    standardError: { clean: clean.standardError, rows: rows.map(({ standardError }) => standardError) },
  };
}

/** 0.82 as 0.820, with its standard error where it is known. */
export function accuracyCell(accuracy: number, standardError: number | null = null): string {
  return standardError === null ? accuracy.toFixed(3) : `${accuracy.toFixed(3)} ± ${standardError.toFixed(3)}`;
}
