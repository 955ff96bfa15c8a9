import type { CurvePoint } from "../curves-chart.ts";
import { left, right } from "../table-column.ts";
import { PUBLISHED_SEEDS, type Report, type Reproduction } from "./report.ts";
import { type ReproducedRow, reproducedRows } from "./reproduce.ts";
import { spread } from "./table-report.ts";
import { product, type TableRow, transferRow } from "./tables.ts";

/** A weighted sum of neighbours, to which the robust aggregations are compared. */
const PLAIN = "gdc";
const MODELS = [PLAIN, "soft-medoid-gdc", "soft-median-gdc"];
const EPSILONS = [0.01, 0.05, 0.1, 0.25];

/** Empirical bias of aggregations: how far PGD moves the first hidden layer. */
export const bias: Reproduction = {
  title: "Empirical bias of the first hidden layer under PGD",
  datasets: ["cora_ml"],
  seeds: PUBLISHED_SEEDS,
  experiments: ({ datasets }) => datasets.flatMap(rowsFor).map(({ measure }) => measure),
  report: ({ datasets, seeds }, results) => report(reproducedRows(datasets.flatMap(rowsFor), seeds, results), seeds),
};

function rowsFor(dataset: string): TableRow[] {
  return product(EPSILONS, MODELS).map(([epsilon, model]) => {
    const row = transferRow(dataset, "pgd", epsilon, model);
    return { ...row, measure: { ...row.measure, quantity: "hidden-shift" as const } };
  });
}

function report(rows: readonly ReproducedRow[], seeds: readonly number[]): Report {
  const relative = (row: ReproducedRow) => {
    const plain = rows.find(
      (other) => other.dataset === row.dataset && other.epsilon === row.epsilon && other.model === PLAIN,
    );
    return plain ? row.mean / plain.mean : Number.NaN;
  };
  const points = rows.flatMap((row): CurvePoint[] => [
    { panel: "absolute", series: row.model, x: row.epsilon, y: row.mean },
    { panel: `relative to ${PLAIN}`, series: row.model, x: row.epsilon, y: relative(row) },
  ]);
  return {
    rows,
    columns: [
      left("dataset"),
      right("epsilon"),
      left("model"),
      right("bias"),
      right("n"),
      right(`relative to ${PLAIN}`),
    ],
    cells: rows.map((row) => [
      row.dataset,
      String(row.epsilon),
      row.model,
      spread(row),
      String(row.values.length),
      relative(row).toFixed(3),
    ]),
    note: `Mean over all nodes of ‖h(Ã) − h(A)‖₂ after the first layer and its ReLU, in evaluation mode: mean ± standard
deviation over seeds ${seeds.join(", ")}. The perturbed graphs Ã are PGD's (tanh margin), computed on the dense GCN.`,
    curves: {
      title: bias.title,
      points,
      series: "model",
      ownScales: true,
      x: { title: "flipped edges, share", format: "%" },
      y: { title: "bias" },
    },
  };
}
