import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { softMedian } from "../../defense/soft-median.ts";
import { softMedoid } from "../../defense/soft-medoid.ts";
import { empty, IntTensor, SparseMatrix, scope, type Tensor, tensor } from "../../tensor/index.ts";
import type { CurvePoint } from "../curves-chart.ts";
import { left, right } from "../table-column.ts";
import type { Report, Reproduction } from "./report.ts";

const SAMPLES = 50;
const REPETITIONS = 100;
/** Numbers of replaced points: up to 60 %, past the breakdown at half. */
const REPLACED = Array.from({ length: 30 }, (_, t) => t + 1);
/** The numbers of replaced points that the table shows. */
const SHOWN = [1, 5, 10, 15, 20, 22, 24, 25, 26, 30];
const PANELS = [
  { distance: 1000, relative: false, title: "absolute, point mass at 1000" },
  { distance: 10, relative: true, title: "relative to the mean, point mass at 10" },
];

type Point = readonly [number, number];

/** An estimator of location, for many samples of the same size at once: one point per row of the matrix. */
type Estimator = (samples: SparseMatrix, X: Tensor) => Promise<Point[]>;

/** Error of estimators when a growing share of a sample is replaced by one far point. */
export const pointMass: Reproduction = {
  title: "Error of estimators of location under a point mass",
  datasets: [],
  seeds: [0],
  oneSeed: true,
  experiments: () => [],
  async report({ seeds }) {
    const rng = new Rng(seeds[0]);
    const samples = Array.from({ length: REPETITIONS }, () => drawSample(rng));
    const centres = await estimate(estimators["Soft Median, T = 1"], samples);
    const centred = samples.map((sample, r) => sample.map(([x, y]): Point => [x - centres[r][0], y - centres[r][1]]));
    const rows: ErrorRow[] = [];
    for (const { distance, relative, title } of PANELS) rows.push(...(await panel(centred, distance, relative, title)));
    return errorReport(rows);
  },
};

interface ErrorRow {
  readonly panel: string;
  readonly estimator: string;
  readonly share: number;
  readonly error: number;
}

/** The estimators. With all weights 1, aggregations return n times a point, which `aggregated` divides by n. */
const estimators: Readonly<Record<string, Estimator>> = {
  "Soft Median, T = 1": (S, X) => aggregated(() => softMedian(S, X, 1)),
  median: medians,
  "sample closest to the median": async (S, X) => closest(await medians(S, X), await pointsOf(X)),
  mean: async (_, X) => means(await pointsOf(X)),
  "Soft Medoid, T = 50": (S, X) => aggregated(() => softMedoid(S, X, { temperature: 50 })),
};

function drawSample(rng: Rng): Point[] {
  return Array.from({ length: SAMPLES }, (): Point => [rng.normal(), rng.normal()]);
}

/** ‖t(X) − t(X̃)‖₂, averaged over the samples, for every estimator and number of replaced points. */
async function panel(samples: readonly Point[][], distance: number, relative: boolean, title: string) {
  const errors = new Map<string, number[]>();
  for (const [name, estimator] of Object.entries(estimators)) {
    const clean = await estimate(estimator, samples);
    const series: number[] = [];
    for (const count of REPLACED) {
      const spoilt = samples.map((sample) => sample.map((point, e): Point => (e < count ? [distance, 0] : point)));
      const moved = await estimate(estimator, spoilt);
      const apart = moved.map(([x, y], r) => Math.hypot(x - clean[r][0], y - clean[r][1]));
      series.push(apart.reduce((sum, error) => sum + error, 0) / apart.length);
    }
    errors.set(name, series);
  }
  return [...errors].flatMap(([estimator, series]) =>
    series.map((error, t): ErrorRow => {
      const scale = relative ? errors.get("mean")![t] : 1;
      return { panel: title, estimator, share: REPLACED[t] / SAMPLES, error: error / scale };
    }),
  );
}

async function estimate(estimator: Estimator, samples: readonly Point[][]): Promise<Point[]> {
  const backend = createReference();
  const rowPtr = Int32Array.from({ length: samples.length + 1 }, (_, r) => r * SAMPLES);
  const colIdx = Int32Array.from({ length: samples.length * SAMPLES }, (_, e) => e);
  const host = { numRows: samples.length, numCols: colIdx.length, rowPtr, colIdx, values: null };
  return estimator(SparseMatrix.upload(backend, host), tensor(backend, samples.flat(2), [colIdx.length, 2]));
}

async function aggregated(aggregate: () => Tensor): Promise<Point[]> {
  return (await pointsOf(scope(aggregate))).map(([x, y]): Point => [x / SAMPLES, y / SAMPLES]);
}

async function medians(S: SparseMatrix, X: Tensor): Promise<Point[]> {
  const median = empty(X.backend, [S.numRows, 2]);
  const at = new IntTensor(X.backend, X.backend.alloc("i32", 2 * S.numRows));
  X.backend.weightedMedian(median.buffer, at.buffer, S.buffers, X.buffer, 2);
  return pointsOf(median);
}

/** For each centre the nearest point of its sample. */
function closest(centres: readonly Point[], points: readonly Point[]): Point[] {
  return centres.map(([x, y], r) => {
    const away = ([u, v]: Point) => Math.hypot(u - x, v - y);
    return points
      .slice(r * SAMPLES, (r + 1) * SAMPLES)
      .reduce((best, point) => (away(point) < away(best) ? point : best));
  });
}

function means(points: readonly Point[]): Point[] {
  const mean = (r: number, c: 0 | 1) =>
    points.slice(r * SAMPLES, (r + 1) * SAMPLES).reduce((sum, point) => sum + point[c], 0) / SAMPLES;
  return Array.from({ length: points.length / SAMPLES }, (_, r): Point => [mean(r, 0), mean(r, 1)]);
}

async function pointsOf(X: Tensor): Promise<Point[]> {
  const values = await X.read();
  return Array.from({ length: values.length / 2 }, (_, i): Point => [values[2 * i], values[2 * i + 1]]);
}

function errorReport(rows: readonly ErrorRow[]): Report {
  const names = Object.keys(estimators);
  const cells = PANELS.flatMap(({ title }) =>
    SHOWN.map((count) => [
      title,
      `${(100 * count) / SAMPLES} %`,
      ...names.map((name) => {
        const row = rows.find((r) => r.panel === title && r.estimator === name && r.share === count / SAMPLES)!;
        return row.error.toPrecision(3);
      }),
    ]),
  );
  return {
    rows,
    cells,
    columns: [left("panel"), right("replaced"), ...names.map(right)],
    note: `‖t(X) − t(X̃)‖₂, where X are ${SAMPLES} draws from a two-dimensional standard normal, shifted so that
their Soft Median is 0, and X̃ is X with a share of its points replaced by one point on the first axis; mean over
${REPETITIONS} samples.`,
    curves: {
      title: pointMass.title,
      series: "estimator",
      ownScales: true,
      points: rows.map(
        ({ panel, estimator, share, error }): CurvePoint => ({ panel, series: estimator, x: share, y: error }),
      ),
      x: { title: "replaced points, share", format: "%" },
      y: { title: "error", log: true },
    },
  };
}
