import type { Backend, Convolution, ConvolveArguments, ConvolveGradArguments, Scale } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { finishRows } from "./finish.ts";
import { sides } from "./scale.ts";
import { floats, ints } from "./storage.ts";

export function convolve({ out, graph, X, cols, scale, finish }: ConvolveArguments): void {
  const { numRows } = graph.A;
  const y = floats("convolve", "out", out, numRows * cols);
  neighbourSums("convolve", y, { graph, x: floats("convolve", "X", X, numRows * cols), cols, scale });
  finishRows("convolve", y, numRows, cols, finish);
}

export const convolveRows: Backend["convolveRows"] = ({ out, rows, graph, X, cols, scale, finish }) => {
  const y = floats("convolveRows", "out", out, rows.length * cols);
  const at = ints("convolveRows", "rows", rows);
  const all = new Float64Array(graph.A.numRows * cols);
  neighbourSums("convolveRows", all, { graph, x: floats("convolveRows", "X", X, all.length), cols, scale });
  finishRows("convolveRows", all, graph.A.numRows, cols, finish);
  for (const [t, i] of at.entries()) y.set(all.subarray(i * cols, (i + 1) * cols), t * cols);
};

export function convolveGrad({
  grads: { dX, dScale },
  graph,
  dZ,
  X,
  cols,
  scale: { by, dots, accumulate = false },
}: ConvolveGradArguments): void {
  const name = "convolveGrad";
  const { numRows } = graph.A;
  const dz = floats(name, "dZ", dZ, numRows * cols);
  const x = floats(name, "X", X, numRows * cols);
  const left = floats(name, "dots", dots, numRows);
  const scale = floats(name, "by", by, numRows);
  const dx = dX ? floats(name, "dX", dX, numRows * cols) : new Float64Array(numRows * cols);
  const sums = floats(name, "dScale", dScale, numRows);
  neighbourSums(name, dx, { graph, x: dz, cols, scale: { by, sides: "both" } });
  for (let i = 0; i < numRows; i++) {
    let sum = left[i];
    for (let e = i * cols; e < (i + 1) * cols; e++) sum += dx[e] * x[e];
    sums[i] = (accumulate ? sums[i] : 0) + sum / scale[i];
  }
}

interface Sums {
  readonly graph: Convolution;
  readonly x: Float64Array;
  readonly cols: number;
  readonly scale: Scale;
}

/** y_i = l_i · (Σ_j (A_ij + B_ij) r_j X_j + r_i X_i). */
function neighbourSums(kernel: string, y: Float64Array, { graph, x, cols, scale }: Sums): void {
  const { A, B } = graph;
  const { numRows } = A;
  const [left, right] = sides(kernel, scale, numRows);
  const matrices = (B ? [A, B] : [A]).map((S) => csrArrays(kernel, S));
  for (let i = 0; i < numRows; i++) {
    for (let c = 0; c < cols; c++) {
      let sum = right(i) * x[i * cols + c];
      for (const { rowPtr, colIdx, values } of matrices) {
        for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) {
          const j = colIdx[e];
          sum += (values ? values[e] : 1) * right(j) * x[j * cols + c];
        }
      }
      y[i * cols + c] = left(i) * sum;
    }
  }
}
