import { meanError } from "../mean-error.ts";
import type { Report } from "../reproduce/report.ts";
import { signed } from "../reproduce/table-report.ts";
import { left, right } from "../table-column.ts";
import { SAMPLES } from "./cells.ts";
import type { CertificateCell } from "./measure.ts";
import { published } from "./published.ts";

export const TITLE = "Certified robustness by randomised smoothing";
export const DATASETS: readonly string[] = Object.keys(published);

/** The cells of all seeds, a row for each model and noise. */
export function certificateReport(cells: readonly CertificateCell[]): Report {
  const rows = [...Map.groupBy(cells, ({ dataset, model, noise }) => `${dataset} ${model} ${noise}`).values()].map(
    rowOf,
  );
  const isPartial = rows.some(({ projected }) => projected !== null);
  return {
    rows,
    columns: [
      left("dataset"),
      left("model"),
      left("noise"),
      right("samples"),
      left("seeds"),
      right("accumulated certificate"),
      ...(isPartial ? [right("projected")] : []),
      right("published"),
      right("difference"),
      right("accuracy, smoothed"),
      right("accuracy, clean"),
      right("published"),
      right("minutes"),
    ],
    cells: rows.map((row) => [
      row.dataset,
      row.model,
      noiseText[row.noise],
      String(row.samples),
      row.seeds.join(", "),
      spreadText(row.accumulated),
      ...(isPartial ? [row.projected === null ? "" : row.projected.toFixed(2)] : []),
      row.published === null ? "" : row.published.toFixed(2),
      row.published === null ? "" : signed(row.accumulated.mean - row.published, 2),
      spreadText(row.smoothedAccuracy),
      spreadText(row.accuracy),
      row.publishedAccuracy === null ? "" : row.publishedAccuracy.toFixed(3),
      (row.seconds / 60).toFixed(1),
    ]),
    note: isPartial ? `${NOTE}\n\n${PARTIAL}` : NOTE,
  };
}

const noiseText = { add: "add .001", delete: "delete .4", both: "add .001, delete .4" };

function rowOf(cells: readonly CertificateCell[]) {
  const { dataset, model, noise, samples, seconds } = cells[0];
  const known = published[dataset]?.[model];
  return {
    dataset,
    model,
    noise,
    samples,
    seconds,
    seeds: cells.map(({ seed }) => seed),
    accumulated: meanError(cells.map((cell) => cell.accumulated)),
    smoothedAccuracy: meanError(cells.map((cell) => cell.smoothedAccuracy)),
    accuracy: meanError(cells.map((cell) => cell.accuracy)),
    projected: cells.some((cell) => cell.projected === null)
      ? null
      : meanError(cells.map((cell) => cell.projected!)).mean,
    published: known?.[noise] ?? null,
    publishedAccuracy: known?.accuracy ?? null,
  };
}

function spreadText({ mean, standardError }: ReturnType<typeof meanError>): string {
  return standardError === null ? mean.toFixed(3) : `${mean.toFixed(3)} ± ${standardError.toFixed(3)}`;
}

const NOTE = `Mean ± standard error over the seeds; the published values have no errors. Models are trained on binarised
attributes, without noise. The accumulated certificate is the sum, over all radii but 0, of the share of test nodes that
the smoothed model classifies correctly and that are certified at that radius. With 10,000 unanimous votes it is at most
1, 7 and 9 times the accuracy under the three settings of the noise. 100 other samples choose the class. A certificate
is wrong with a probability of at most .05. It is not said whether the published accuracy is that of the model or of the
smoothed model. Minutes are those of counting votes. The GCNs of all seeds vote on the same noisy graphs, and so do the
two GDC models, which share PageRank: their minutes are those of all of them together.`;

const PARTIAL = `Certificates grow with the number of samples: cells with fewer than ${SAMPLES.bounding.toLocaleString("en")} are below what they would be with
all of them. "Projected" is what they would be if the votes went on as they began. It certifies nothing, and is too high
if a class that wins seldom was not drawn yet.`;
