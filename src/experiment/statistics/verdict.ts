import { holm } from "./holm.ts";
import type { Difference, Sample } from "./sample.ts";
import { welch } from "./welch.ts";

/**
 * How an attack compares with a published one, by the accuracy that it leaves (lower is stronger) or by its success
 * rate.
 */
export type Verdict = "weaker" | "within" | "stronger" | "unknown";

/** A measured cell of a table beside the published one. */
export interface ComparedCell extends Difference {
  /** `unknown` if there is a single value, which has no spread. */
  readonly verdict: Verdict;
  /** p-value, corrected for the number of cells. */
  readonly correctedP: number | null;
}

/** Level of the corrected p-value below which a cell counts as different. */
const LEVEL = 0.05;

/**
 * Compares measured values with published ones by the spreads of both, corrected for the number of cells: if nothing
 * truly differs, 19 of 20 tables have no cell that is called weaker or stronger. `higher` says what a larger value
 * means: `weaker` for accuracies, `stronger` for success rates.
 */
export function compareCells(
  cells: readonly { readonly here: Sample; readonly published: Sample }[],
  higher: "weaker" | "stronger" = "weaker",
): ComparedCell[] {
  const differences = cells.map(({ here, published }) => welch(here, published));
  const corrected = holm(differences.map(({ pValue }) => pValue));
  return differences.map((difference, k) => ({
    ...difference,
    correctedP: corrected[k],
    verdict: verdictOf(higher === "weaker" ? difference.difference : -difference.difference, corrected[k]),
  }));
}

function verdictOf(difference: number, correctedP: number | null): Verdict {
  if (correctedP === null) return "unknown";
  if (correctedP >= LEVEL) return "within";
  return difference > 0 ? "weaker" : "stronger";
}

/**
 * The sample behind a printed `mean ± x` of the published global tables: x is the population standard deviation over
 * three seeds divided by three. Three digits are printed, so a ± of .000 stands for up to half of the last digit.
 */
export function publishedSample(mean: number, printed: number, seeds = 3): Sample {
  const population = seeds * Math.max(printed, 0.0005);
  return { mean, standardDeviation: population * Math.sqrt(seeds / (seeds - 1)), count: seeds };
}
