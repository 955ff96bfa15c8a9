import type { BatchNormArguments, BatchNormColumns, BatchNormGradArguments } from "../backend.ts";
import { floats } from "./storage.ts";

export function batchNorm({ out, X, columns, beta, epsilon, rows, cols }: BatchNormArguments): void {
  const y = floats("batchNorm", "out", out, rows * cols);
  const x = floats("batchNorm", "X", X, rows * cols);
  const { mean, variance, gamma } = columnsOf("batchNorm", columns, cols);
  const shift = floats("batchNorm", "beta", beta, cols);
  for (let c = 0; c < cols; c++) {
    const column = Array.from({ length: rows }, (_, i) => x[i * cols + c]);
    mean[c] = sum(column) / Math.max(rows, 1);
    variance[c] = sum(column.map((value) => (value - mean[c]) ** 2)) / Math.max(rows, 1);
    const scale = gamma[c] * inverseRoot(variance[c] + epsilon);
    for (const [i, value] of column.entries()) y[i * cols + c] = scale * (value - mean[c]) + shift[c];
  }
}

export function batchNormGrad({
  grads: { dX, dGamma, dBeta },
  dY,
  X,
  columns,
  epsilon,
  rows,
  cols,
}: BatchNormGradArguments): void {
  const name = "batchNormGrad";
  const dx = floats(name, "dX", dX, rows * cols);
  const dy = floats(name, "dY", dY, rows * cols);
  const dg = floats(name, "dGamma", dGamma, cols);
  const db = floats(name, "dBeta", dBeta, cols);
  const x = floats(name, "X", X, rows * cols);
  const { mean, variance, gamma } = columnsOf(name, columns, cols);
  for (let c = 0; c < cols; c++) {
    const inverse = inverseRoot(variance[c] + epsilon);
    const places = Array.from({ length: rows }, (_, i) => i * cols + c);
    const normalised = (e: number) => inverse * (x[e] - mean[c]);
    db[c] = sum(places.map((e) => dy[e]));
    dg[c] = sum(places.map((e) => dy[e] * normalised(e)));
    for (const e of places) dx[e] = gamma[c] * inverse * (dy[e] - (db[c] + normalised(e) * dg[c]) / rows);
  }
}

function columnsOf(name: string, { mean, variance, gamma }: BatchNormColumns, cols: number) {
  return {
    mean: floats(name, "mean", mean, cols),
    variance: floats(name, "variance", variance, cols),
    gamma: floats(name, "gamma", gamma, cols),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** x^(−1/2), and 0 at 0: a constant column has no direction to scale. */
function inverseRoot(x: number): number {
  return x === 0 ? 0 : 1 / Math.sqrt(x);
}
