import type { CurvePoint } from "../curves-chart.ts";
import type { NamedOptions } from "../study/study.ts";
import { left, right } from "../table-column.ts";
import { PUBLISHED_SEEDS, type Report, type Reproduction } from "./report.ts";
import { type ReproducedRow, reproducedRows } from "./reproduce.ts";
import { spread } from "./table-report.ts";
import { cleanRow, product, type TableRow, transferRow } from "./tables.ts";

const TEMPERATURES = [0.1, 0.2, 0.5, 1, 2, 5, 10];
const ROBUST = ["soft-median-gdc", "soft-medoid-gdc", "soft-median-pprgo"];
/** What the robust models become as T grows. */
const VANILLA = ["gdc", "pprgo"];
const EPSILON = 0.1;

/** Clean accuracy, and that under a transferred PR-BCD, over the temperature of robust aggregations. */
export const temperature: Reproduction = {
  title: "Accuracy over the temperature of robust aggregations",
  datasets: ["cora_ml"],
  seeds: PUBLISHED_SEEDS,
  experiments: ({ datasets }) => datasets.flatMap(rowsFor).map(({ measure }) => measure),
  report: ({ datasets, seeds }, results) => report(reproducedRows(datasets.flatMap(rowsFor), seeds, results), seeds),
};

function rowsFor(dataset: string): TableRow[] {
  const at = (model: string, options: NamedOptions["options"]) =>
    [cleanRow(dataset, model), transferRow(dataset, "prbcd", EPSILON, model)].map(
      (row): TableRow => ({ ...row, measure: { ...row.measure, models: [{ name: model, options }] } }),
    );
  return [
    ...VANILLA.flatMap((model) => at(model, {})),
    ...product(ROBUST, TEMPERATURES).flatMap(([model, temperature]) => at(model, { temperature })),
  ];
}

function report(rows: readonly ReproducedRow[], seeds: readonly number[]): Report {
  const condition = ({ attack }: ReproducedRow) =>
    attack === "none" ? "clean" : `PR-BCD, ${100 * EPSILON} % of edges`;
  const points = rows.flatMap((row): CurvePoint[] => {
    const T = row.set["temperature"] as number | undefined;
    const along = T === undefined ? [TEMPERATURES[0], TEMPERATURES.at(-1)!] : [T]; // without T: a level line
    return along.map((x) => ({ panel: condition(row), series: row.model, x, y: row.mean }));
  });
  return {
    rows,
    columns: [left("dataset"), left("model"), right("T"), left("edges"), right("test accuracy"), right("n")],
    cells: rows.map((row) => [
      row.dataset,
      row.model,
      String(row.set["temperature"] ?? ""),
      condition(row),
      spread(row),
      String(row.values.length),
    ]),
    note: `Mean ± standard deviation over seeds ${seeds.join(", ")}. The attack is computed on the GCN; all
hyperparameters but T are those of the preset.`,
    curves: {
      title: temperature.title,
      points,
      series: "model",
      x: { title: "temperature T", log: true },
      y: { title: "test accuracy", domain: [0.6, 0.9] },
    },
  };
}
