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

/** Which cells differ, how small a difference could have been seen, and which cells are worth another look. */
function tableVerdicts(rows: readonly ReproducedRow[]): string[] {
  const counted = rows.filter(({ interval }) => interval !== null);
  if (counted.length === 0) return [];
  const differing = counted.filter(({ verdict }) => verdict !== "within");
  const reach = median(counted.map(({ interval }) => (interval![1] - interval![0]) / 2));
  const apart = counted.filter((row) => Math.abs(row.mean - row.published!.mean) > 2 * row.standardError!);
  const list = (some: readonly ReproducedRow[]) => some.map(whereAndHow).join("; ") || "none";
  return [
    `Cells that differ from the published ones by more than chance explains: ${differing.length} of ${counted.length}${differing.length > 0 ? `: ${list(differing)}` : ""}.`,
    `Half of the intervals reach further than ±${reach.toFixed(3)}: smaller differences cannot be seen with so few seeds.`,
    `More than two standard errors apart, as one cell in eight is by chance with three seeds each: ${list(apart)}.`,
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
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
