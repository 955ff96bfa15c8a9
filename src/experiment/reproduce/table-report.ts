import { type Column, left, right } from "../table-column.ts";
import { type Choice, PUBLISHED_SEEDS, type Report, type Reproduction } from "./report.ts";
import { type ReproducedRow, reproducedRows } from "./reproduce.ts";
import type { Table } from "./tables.ts";
import { verdictSentences } from "./verdict-sentences.ts";

/** A table of accuracies beside the published ones. */
export function tableReproduction(table: Table): Reproduction {
  const rowsOf = ({ datasets }: Choice) => datasets.flatMap((dataset) => table.rows(dataset));
  return {
    title: table.title,
    datasets: table.datasets,
    seeds: PUBLISHED_SEEDS,
    experiments: (choice) => rowsOf(choice).map(({ measure }) => measure),
    report: (choice, results) =>
      tableReport(reproducedRows(rowsOf(choice), choice.seeds, results), choice.seeds, table.remark),
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
    verdicts: verdictSentences(rows, whereAndHow),
    note: `Test accuracy: mean ± standard deviation over seeds ${seeds.join(", ")}. The published ± is the standard
deviation divided by 3. The interval is that of the difference, by Welch's test with the spreads of both; the verdict is corrected for the
number of cells (Holm).${remark && `\n${remark}`}`,
  };
}

function whereAndHow({ dataset, attack, loss, epsilon, model, mean, published }: ReproducedRow): string {
  const difference = mean - published!.mean;
  if (attack === "none") return `${dataset} ${model} ${difference > 0 ? "higher" : "lower"} (${signed(difference)})`;
  const how = `${attack}${loss ? ` (${loss})` : ""} ε ${epsilon}`;
  return `${dataset} ${how} on ${model} ${difference > 0 ? "weaker" : "stronger"} (${signed(difference)})`;
}

/** Mean ± standard deviation; a single value has none. */
export function spread({ mean, deviation, values }: Pick<ReproducedRow, "mean" | "deviation" | "values">): string {
  return values.length > 1 ? `${mean.toFixed(3)} ± ${deviation.toFixed(3)}` : mean.toFixed(3);
}

/** +0.012 or −0.012. */
export function signed(value: number, digits = 3): string {
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(digits)}`;
}
