import type { Json } from "../../core/options/index.ts";
import { sampleOf } from "../statistics/sample.ts";
import { compareCells, publishedSample, type Verdict } from "../statistics/verdict.ts";
import { type Published, published } from "./published.ts";
import type { Results } from "./results.ts";
import type { TableRow } from "./tables.ts";

/** A row of a table as it was measured here, beside the published one. */
export interface ReproducedRow {
  readonly dataset: string;
  readonly attack: string;
  readonly loss: string | null;
  readonly epsilon: number;
  readonly model: string;
  /** Hyperparameters that differ from the published ones. */
  readonly set: Readonly<Record<string, Json>>;
  readonly values: readonly number[];
  readonly mean: number;
  /** Standard deviation over the seeds, unbiased. */
  readonly deviation: number;
  readonly published: Published | null;
  /** Standard error of the difference to the published accuracy; null if unknown. */
  readonly standardError: number | null;
  /** 95% confidence interval of the difference to the published accuracy; null if unknown. */
  readonly interval: readonly [number, number] | null;
  /**
   * `within` the noise of both, `stronger` or `weaker` than published (for clean accuracy `lower` or `higher`),
   * `unknown` with one seed. `not counted`: the model was chosen because it fits the published row, so it explains the
   * row but does not confirm it.
   */
  readonly verdict: ReproducedVerdict;
}

export type ReproducedVerdict =
  | "within"
  | "stronger"
  | "weaker"
  | "higher"
  | "lower"
  | "unknown"
  | "not counted"
  | "unpublished";

/** Chosen after the fact, because it fits the row that the paper prints for GAT (docs/results/gat.md). */
const CHOSEN_TO_FIT = ["gdc-gat"];

/** The rows that were measured, with any of the seeds, beside the published numbers. */
export function reproducedRows(rows: readonly TableRow[], seeds: readonly number[], results: Results): ReproducedRow[] {
  const measured = rows.flatMap((row) => {
    const values = seeds.flatMap((seed) => results.get(row.measure, seed)?.value ?? []);
    return values.length > 0 ? [summarise(row, values)] : [];
  });
  return judge(measured);
}

type Unjudged = Omit<ReproducedRow, "standardError" | "interval" | "verdict">;

function summarise({ published: key, measure }: TableRow, values: readonly number[]): Unjudged {
  const { options: set } = measure.models[0];
  const { mean, standardDeviation } = sampleOf(values);
  const isAccuracy = (measure.quantity ?? "accuracy") === "accuracy"; // nothing else was published for these keys
  const reference = (isAccuracy && Object.keys(set).length === 0 && published(key)) || null;
  const { dataset, attack, loss, epsilon, model } = key;
  const deviation = standardDeviation ?? 0;
  return { dataset, attack, loss, epsilon, model, set, values, mean, deviation, published: reference };
}

/** Compares all rows that count with the published ones at once: the correction for chance depends on their number. */
function judge(rows: readonly Unjudged[]): ReproducedRow[] {
  const counted = rows.filter(
    ({ published: reference, model }) => reference !== null && !CHOSEN_TO_FIT.includes(model),
  );
  const compared = compareCells(counted.map(comparable));
  const found = new Map(counted.map((row, k) => [row, compared[k]]));
  return rows.map((row) => {
    const cell = found.get(row);
    if (!cell)
      return { ...row, standardError: null, interval: null, verdict: row.published ? "not counted" : "unpublished" };
    const { standardError, interval, verdict } = cell;
    return { ...row, standardError, interval, verdict: inWords(row.attack, verdict) };
  });
}

function comparable({ values, published: reference }: Unjudged) {
  const { mean, err } = reference!;
  return { here: sampleOf(values), published: publishedSample(mean, err ?? 0) };
}

/** For clean accuracy, `lower` and `higher` replace `stronger` and `weaker`. */
function inWords(attack: string, verdict: Verdict): ReproducedVerdict {
  if (attack !== "none") return verdict;
  return verdict === "stronger" ? "lower" : verdict === "weaker" ? "higher" : verdict;
}
