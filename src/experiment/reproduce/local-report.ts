import { sampleOf } from "../statistics/sample.ts";
import { compareCells, type Verdict } from "../statistics/verdict.ts";
import { type Column, left, right } from "../table-column.ts";
import type { LocalRow } from "./local-tables.ts";
import type { Published } from "./published.ts";
import { NODES, publishedRate, publishedRates } from "./published-local.ts";
import type { Report } from "./report.ts";
import { signed, spread } from "./table-report.ts";
import { verdictSentences } from "./verdict-sentences.ts";

/** A row of a table of success rates as it was measured here, beside the published one. */
export interface ReproducedRate {
  readonly dataset: string;
  readonly attack: string;
  readonly time: "evasion" | "poisoning";
  readonly epsilon: number;
  readonly model: string;
  /** Success rate with each seed. */
  readonly values: readonly number[];
  readonly mean: number;
  /** Standard deviation over the seeds, unbiased. */
  readonly deviation: number;
  readonly nodes: number;
  readonly published: Published | null;
  /** Standard error of the difference to the published rate; null if unknown. */
  readonly standardError: number | null;
  /** 95% confidence interval of the difference to the published rate; null if unknown. */
  readonly interval: readonly [number, number] | null;
  /** `within` the noise of both, `stronger` or `weaker` than published. `unknown` with one seed. */
  readonly verdict: Verdict | "unpublished";
}

/** A row with what was measured for it. */
export interface MeasuredRates {
  readonly row: LocalRow;
  /** Success rate with each seed. */
  readonly values: readonly number[];
}

/** Compares all rows with the published ones at once: the correction for chance depends on their number. */
export function summariseRates(measured: readonly MeasuredRates[]): ReproducedRate[] {
  const rows = measured.map(unjudged);
  const counted = rows.filter(({ published }) => published !== null);
  const cells = counted.map(({ values, published }) => ({
    here: sampleOf(values),
    published: publishedRates(published!),
  }));
  const found = new Map(compareCells(cells, "stronger").map((cell, k) => [counted[k], cell]));
  return rows.map((row) => {
    const { standardError = null, interval = null, verdict = "unpublished" as const } = found.get(row) ?? {};
    return { ...row, standardError, interval, verdict };
  });
}

function unjudged({ row: { published: key, label }, values }: MeasuredRates) {
  const { mean, standardDeviation } = sampleOf(values);
  const { dataset, time, epsilon, model } = key;
  return {
    dataset,
    attack: label,
    time,
    epsilon,
    model,
    values,
    mean,
    deviation: standardDeviation ?? 0,
    nodes: NODES * values.length,
    published: publishedRate(key) ?? null,
  };
}

const columns: readonly Column[] = [
  left("dataset"),
  left("model"),
  left("attack"),
  left("time"),
  right("epsilon"),
  right("here"),
  right("nodes"),
  right("published"),
  right("difference"),
  right("95% interval"),
  left("verdict"),
];

export function ratesReport(rows: readonly ReproducedRate[], seeds: readonly number[], remark: string): Report {
  const cells = rows.map(({ dataset, model, attack, time, epsilon, published, verdict, ...row }) => [
    dataset,
    model,
    attack,
    time,
    String(epsilon),
    spread(row),
    String(row.nodes),
    published ? published.mean.toFixed(3) : "",
    published ? signed(row.mean - published.mean) : "",
    row.interval ? row.interval.map((end) => signed(end)).join(" … ") : "",
    verdict,
  ]);
  return {
    rows,
    columns,
    cells,
    verdicts: verdictSentences(rows, whereAndHow),
    note: `Share of nodes whose prediction is right before and wrong after, with a budget of epsilon times the degree: ${drawn(seeds)}. ${rows.some(({ published }) => published) ? COMPARED : ""}${remark}`,
  };
}

function drawn(seeds: readonly number[]): string {
  return seeds.length === 1
    ? `seed ${seeds[0]}, ${NODES} nodes`
    : `mean ± standard deviation\nover seeds ${seeds.join(", ")}, ${NODES} nodes each`;
}

const COMPARED = `The interval is that of the difference, by Welch's test with our spread over seeds and that
of ${NODES} nodes for the published rates, which were printed without one; the verdict is corrected for the number of cells (Holm). `;

function whereAndHow({ dataset, attack, time, epsilon, model, mean, published }: ReproducedRate): string {
  const difference = mean - published!.mean;
  const how = `${attack} ε ${epsilon}${time === "poisoning" ? ", poisoning," : ""}`;
  return `${dataset} ${how} on ${model} ${difference > 0 ? "stronger" : "weaker"} (${signed(difference)})`;
}
