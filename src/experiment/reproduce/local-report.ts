import { type Column, left, right } from "../table-column.ts";
import type { LocalRow } from "./local-tables.ts";
import type { Published } from "./published.ts";
import { publishedRate, rateTolerance } from "./published-local.ts";
import type { Report } from "./report.ts";

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
  readonly nodes: number;
  /** Of the mean, as a share of that many nodes. */
  readonly standardError: number;
  readonly published: Published | null;
  /** `within` the noise of two rates, `stronger` or `weaker` than published. */
  readonly verdict: "within" | "stronger" | "weaker" | "unpublished";
}

/** Nodes that are selected with each seed. */
const NODES = 40;

export function summariseRates({ published: key, label }: LocalRow, values: readonly number[]): ReproducedRate {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const nodes = NODES * values.length;
  const reference = publishedRate(key) ?? null;
  const { dataset, time, epsilon, model } = key;
  const standardError = Math.sqrt((mean * (1 - mean)) / (nodes - 1));
  const verdict = judge(mean, nodes, reference);
  return {
    dataset,
    attack: label,
    time,
    epsilon,
    model,
    values,
    mean,
    nodes,
    standardError,
    published: reference,
    verdict,
  };
}

function judge(mean: number, nodes: number, reference: Published | null): ReproducedRate["verdict"] {
  if (!reference) return "unpublished";
  const difference = mean - reference.mean;
  if (Math.abs(difference) <= rateTolerance(reference, nodes)) return "within";
  return difference > 0 ? "stronger" : "weaker";
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
  left("verdict"),
];

export function ratesReport(rows: readonly ReproducedRate[], seeds: readonly number[], remark: string): Report {
  const cells = rows.map(({ dataset, model, attack, time, epsilon, published, verdict, ...row }) => [
    dataset,
    model,
    attack,
    time,
    String(epsilon),
    `${row.mean.toFixed(3)} ± ${row.standardError.toFixed(3)}`,
    String(row.nodes),
    published ? published.mean.toFixed(3) : "",
    published ? signed(row.mean - published.mean) : "",
    verdict,
  ]);
  return {
    rows,
    columns,
    cells,
    note: `Share of nodes whose prediction is right before and wrong after, with a budget of epsilon times the degree: the mean over seeds
${seeds.join(", ")}, 40 nodes each, ± its standard error. Rates agree if they differ by less than two standard errors of the
difference, or by .03. ${remark}`,
  };
}

function signed(value: number): string {
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(3)}`;
}
