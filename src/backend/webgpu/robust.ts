import type { Backend, CsrBuffers } from "../backend.ts";
import { type Gpu, WORKGROUP } from "./gpu.ts";
import type { GpuBuffer } from "./gpu-buffer.ts";
import { lanesFor } from "./lanes.ts";
import type { ShaderName } from "./shader.ts";
import { hasRoomForRows, softMedianByRows } from "./soft-median-by-rows.ts";

type Robust = Pick<Backend, "weightedMedian" | "softMedian" | "softMedianGrad" | "softMedoid" | "softMedoidGrad"> &
  Partial<Pick<Backend, "softMedianSteps">>;

const LOWEST = Number.NEGATIVE_INFINITY;
/** Threads of a workgroup that finds medians: 64 keys each in workgroup memory leave room for several on a processor. */
const MEDIAN_THREADS = 64;

/** Robust aggregations over the entries of sparse rows; weighted sums and scatters are those of the other kernels. */
export function robust(gpu: Gpu, kernels: Pick<Backend, "spmm" | "scaleRows" | "scatterAddRows" | "fill">): Robust {
  /** LANES threads per row. */
  const launch = (
    shader: ShaderName,
    defines: Record<string, number>,
    args: (GpuBuffer | null)[],
    params: number[],
    rows: number,
    more: readonly ShaderName[] = [],
  ) => {
    const { lanes, file } = lanesFor(gpu, 32);
    const files: ShaderName[] = ["common", file, ...more, shader];
    const kernel = gpu.kernel(`${shader} ${Object.values(defines)}`, () => ({
      ...{ files, defines: { LANES: lanes, ...defines } },
    }));
    gpu.run(kernel, args, params, Math.ceil((rows * lanes) / WORKGROUP));
  };
  /** One thread per (row, column), or per four columns. */
  const perColumn = (
    shader: ShaderName,
    defines: Record<string, number>,
    args: (GpuBuffer | null)[],
    rows: number,
    cols: number,
  ) => {
    const wide = cols % 4 === 0;
    const width = wide ? cols / 4 : cols;
    const kernel = gpu.kernel(`${shader} ${wide} ${Object.values(defines)}`, () => ({
      ...{ files: ["common", shader], defines: { T: wide ? "vec4f" : "f32", ...defines } },
    }));
    gpu.run(kernel, args, [rows, width], Math.ceil((rows * width) / WORKGROUP));
  };
  const medians = (name: string, median: GpuBuffer, at: GpuBuffer, S: CsrBuffers, x: GpuBuffer, cols: number) => {
    const { rowPtr, colIdx, values } = gpu.csr(name, S);
    let PANEL = 8;
    while (PANEL < MEDIAN_THREADS && PANEL < cols) PANEL *= 2;
    const defines = { VALUED: Number(values !== null), THREADS: MEDIAN_THREADS, PANEL };
    const files = ["common", "order-key", "weighted-median"] as const;
    const kernel = gpu.kernel(`weighted-median ${Object.values(defines)}`, () => ({ files, defines }));
    const panels = Math.ceil(cols / PANEL);
    const groups = Math.ceil(S.numRows / (MEDIAN_THREADS / PANEL)) * panels;
    gpu.run(kernel, [median, at, rowPtr, colIdx, values, x], [S.numRows, cols, panels], groups);
  };
  const products = (out: GpuBuffer, S: CsrBuffers, G: GpuBuffer, x: GpuBuffer, cols: number, DISTANCE: number) => {
    const { rowPtr, colIdx } = gpu.csr("entry-products", S);
    const wide = cols % 4 === 0;
    const width = wide ? cols / 4 : cols;
    const { lanes, file } = lanesFor(gpu, width);
    const kernel = gpu.kernel(`entry-products ${wide} ${lanes} ${DISTANCE}`, () => ({
      files: ["common", file, wide ? "total-4" : "total-1", "entry-products"],
      defines: { T: wide ? "vec4f" : "f32", LANES: lanes, DISTANCE },
    }));
    gpu.run(kernel, [out, rowPtr, colIdx, G, x], [S.numRows, cols, width], Math.ceil((S.numRows * 32) / WORKGROUP));
  };
  return {
    weightedMedian(median, at, S, X, cols) {
      const name = "weightedMedian";
      const size = S.numRows * cols;
      const m = gpu.floats(name, "median", median, size);
      const holder = gpu.ints(name, "at", at, size);
      medians(name, m, holder, S, gpu.floats(name, "X", X, S.numCols * cols), cols);
    },
    softMedian(out, saved, S, X, cols, temperature) {
      const name = "softMedian";
      const { rowPtr, values } = gpu.csr(name, S);
      const size = S.numRows * cols;
      const m = gpu.floats(name, "saved.median", saved.median, size);
      const at = gpu.ints(name, "saved.at", saved.at, size);
      const share = gpu.floats(name, "saved.shares", saved.shares);
      const x = gpu.floats(name, "X", X, S.numCols * cols);
      medians(name, m, at, S, x, cols);
      const { length } = share;
      gpu.borrow([["f32", length] as const, ["f32", length] as const], (distances, direct) => {
        products(distances, S, m, x, cols, 1);
        const args = [share, direct, rowPtr, values, distances];
        const defines = { VALUED: Number(values !== null) };
        launch("soft-median-shares", defines, args, [S.numRows, temperature, LOWEST], S.numRows, ["closeness"]);
        kernels.spmm(out, { ...S, values: direct }, X, cols);
      });
    },
    softMedianGrad(dValues, toX, dY, S, X, saved, cols, temperature) {
      const name = "softMedianGrad";
      const { rowPtr, colIdx, values } = gpu.csr(name, S);
      const share = gpu.floats(name, "saved.shares", saved.shares);
      const m = gpu.floats(name, "saved.median", saved.median, S.numRows * cols);
      const g = gpu.floats(name, "dY", dY, S.numRows * cols);
      const x = gpu.floats(name, "X", X, S.numCols * cols);
      const da = gpu.floatsOrNone(name, "values", dValues, share.length);
      const terms = gpu.floatsOrNone(name, "toX.terms", toX?.terms, 2 * share.length);
      gpu.borrow([["f32", share.length] as const, ["f32", share.length] as const], (dots, distances) => {
        products(dots, S, g, x, cols, 0);
        if (toX) products(distances, S, m, x, cols, 1);
        const defines = { VALUED: Number(values !== null), TO_VALUES: Number(da !== null), TO_X: Number(toX !== null) };
        const args = [da, terms, rowPtr, values, share, dots, distances];
        launch("soft-median-grad", defines, args, [S.numRows, cols, temperature], S.numRows);
      });
      if (!toX) return;
      const size = S.numRows * cols;
      const medianGrad = gpu.floats(name, "toX.medianGrad", toX.medianGrad, size);
      const args = [medianGrad, rowPtr, colIdx, terms, x, m];
      perColumn("median-grad", {}, args, S.numRows, cols);
    },
    ...(hasRoomForRows(gpu) && { softMedianSteps: softMedianByRows(gpu) }),
    softMedoid(out, shares, S, X, cols, { temperature, scale, weightCorrection }) {
      const name = "softMedoid";
      const { rowPtr, colIdx, values } = gpu.csr(name, S);
      const q = gpu.floats(name, "shares", shares);
      const x = gpu.floats(name, "X", X, S.numCols * cols);
      const defines = { VALUED: Number(values !== null), WEIGHTED: Number(weightCorrection) };
      const params = [S.numRows, cols, temperature, LOWEST];
      launch("soft-medoid-shares", defines, [q, rowPtr, colIdx, values, x], params, S.numRows);
      kernels.spmm(out, { ...S, values: q }, X, cols);
      kernels.scaleRows(out, out, scale, S.numRows, cols);
    },
    /** One row of terms per entry exists for a while: this aggregation is for small graphs. */
    softMedoidGrad(dX, dY, shares, S, X, cols, { temperature, scale }) {
      const name = "softMedoidGrad";
      const { rowPtr, colIdx, values } = gpu.csr(name, S);
      const g = gpu.floats(name, "dY", dY, S.numRows * cols);
      const q = gpu.floats(name, "shares", shares);
      const x = gpu.floats(name, "X", X, S.numCols * cols);
      const factor = gpu.floats(name, "scale", scale, S.numRows);
      const { length } = colIdx;
      const one = ["f32", length] as const;
      gpu.borrow([one, one, one, ["i32", length], ["f32", length * cols]], (dots, towards, direct, columns, terms) => {
        products(dots, S, g, x, cols, 0);
        kernels.fill(columns, -1); // entries beyond the last go nowhere
        const prepared = [towards, direct, columns, rowPtr, colIdx, q, dots, factor];
        launch("soft-medoid-towards", {}, prepared, [S.numRows, temperature], S.numRows);
        const args = [terms, rowPtr, colIdx, values, towards, direct, x, g];
        const defines = { VALUED: Number(values !== null) };
        launch("soft-medoid-grad", defines, args, [S.numRows, cols], S.numRows);
        kernels.scatterAddRows(dX, terms, columns, S.numCols, cols);
      });
    },
  };
}
