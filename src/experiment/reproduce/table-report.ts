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
    verdict,
  ]);
  return {
    rows,
    columns,
    cells,
    note: `Test accuracy: mean ± standard deviation over seeds ${seeds.join(", ")}. The published ± is the standard
deviation divided by 3; two three-seed means agree if they differ by less than six times it, or by .01.${remark && `\n${remark}`}`,
  };
}

/** Mean ± standard deviation. */
export function spread({ mean, deviation }: Pick<ReproducedRow, "mean" | "deviation">): string {
  return `${mean.toFixed(3)} ± ${deviation.toFixed(3)}`;
}

/** +0.012 or −0.012. */
export function signed(value: number, digits = 3): string {
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(digits)}`;
}
