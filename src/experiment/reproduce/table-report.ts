import { type Column, left, right } from "../table-column.ts";
import { PUBLISHED_SEEDS, type Report, type Reproduction } from "./report.ts";
import { type ReproducedRow, reproduce } from "./reproduce.ts";
import type { Table } from "./tables.ts";

/** A table of accuracies beside the published ones. */
export function tableReproduction(table: Table): Reproduction {
  return {
    title: table.title,
    datasets: table.datasets,
    seeds: PUBLISHED_SEEDS,
    stores: true,
    run: async (choice, store, options) =>
      tableReport(await reproduce(table, choice, store, options), choice.seeds, table.remark),
  };
}

const columns: readonly Column[] = [
  left("dataset"),
  left("attack"),
  left("loss"),
  right("epsilon"),
  left("model"),
  right("here"),
  right("n"),
  right("published"),
  right("difference"),
  right("95% interval"),
  left("verdict"),
];

function tableReport(rows: readonly ReproducedRow[], seeds: readonly number[], remark = ""): Report {
  const cells = rows.map(({ dataset, attack, loss, epsilon, model, published, verdict, ...row }) => [
    dataset,
    attack,
    loss ?? "",
    epsilon === 0 ? "" : String(epsilon),
    model,
    spread(row),
    String(row.values.length),
    published ? `${published.mean.toFixed(3)}${published.err === null ? "" : ` ± ${published.err.toFixed(3)}`}` : "",
    published ? signed(row.mean - published.mean) : "",
    row.interval ? row.interval.map((end) => signed(end)).join(" … ") : "",
    verdict,
  ]);
  return {
    rows,
    columns,
    cells,
    verdicts: tableVerdicts(rows),
    note: `Test accuracy: mean ± standard deviation over seeds ${seeds.join(", ")}. The published ± is the standard
deviation divided by 3. The interval is that of the difference, by Welch's test with the spreads of both; the verdict is corrected for the
number of cells (Holm).${remark && `\n${remark}`}`,
  };
}

/** How many cells agree, and which do not: after the correction, and each for itself. */
function tableVerdicts(rows: readonly ReproducedRow[]): string[] {
  const counted = rows.filter(({ verdict }) => !["unpublished", "not counted", "unknown"].includes(verdict));
  if (counted.length === 0) return [];
  const differing = counted.filter(({ verdict }) => verdict !== "within");
  const alone = counted.filter(
    ({ verdict, interval }) => verdict === "within" && interval && interval[0] * interval[1] > 0,
  );
  const list = (some: readonly ReproducedRow[]) => some.map(whereAndHow).join("; ") || "none";
  return [
    `${counted.length - differing.length} of ${counted.length} cells agree with the published values; others: ${list(differing)}.`,
    `Cells whose own 95% interval leaves out 0, of which one in twenty does by chance: ${list(alone)}.`,
  ];
}

function whereAndHow({ dataset, attack, loss, epsilon, model, mean, published }: ReproducedRow): string {
  const difference = mean - published!.mean;
  if (attack === "none") return `${dataset} ${model} ${difference > 0 ? "higher" : "lower"} (${signed(difference)})`;
  const how = `${attack}${loss ? ` (${loss})` : ""} ε ${epsilon}`;
  return `${dataset} ${how} on ${model} ${difference > 0 ? "weaker" : "stronger"} (${signed(difference)})`;
}

/** Mean ± standard deviation. */
export function spread({ mean, deviation }: Pick<ReproducedRow, "mean" | "deviation">): string {
  return `${mean.toFixed(3)} ± ${deviation.toFixed(3)}`;
}

/** +0.012 or −0.012. */
export function signed(value: number, digits = 3): string {
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(digits)}`;
}
