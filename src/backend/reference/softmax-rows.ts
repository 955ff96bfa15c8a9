import type { Buffer } from "../backend.ts";
import { floats } from "./storage.ts";

/** Softmax and log-softmax over the rows of a [rows, cols] matrix, shifted by the row's maximum so that nothing overflows. */

export function softmaxRows(out: Buffer, X: Buffer, rows: number, cols: number): void {
  const y = floats("softmaxRows", "out", out, rows * cols);
  const x = floats("softmaxRows", "X", X, rows * cols);
  for (let i = 0; i < rows; i++) {
    const { top, sum } = shiftedSum(x, i * cols, (i + 1) * cols);
    for (let e = i * cols; e < (i + 1) * cols; e++) y[e] = Math.exp(x[e] - top) / sum;
  }
}

export function softmaxRowsGrad(dX: Buffer, dY: Buffer, Y: Buffer, rows: number, cols: number): void {
  const dx = floats("softmaxRowsGrad", "dX", dX, rows * cols);
  const dy = floats("softmaxRowsGrad", "dY", dY, rows * cols);
  const y = floats("softmaxRowsGrad", "Y", Y, rows * cols);
  for (let i = 0; i < rows; i++) {
    let inner = 0;
    for (let e = i * cols; e < (i + 1) * cols; e++) inner += dy[e] * y[e];
    for (let e = i * cols; e < (i + 1) * cols; e++) dx[e] = y[e] * (dy[e] - inner);
  }
}

export function logSoftmaxRows(out: Buffer, X: Buffer, rows: number, cols: number): void {
  const y = floats("logSoftmaxRows", "out", out, rows * cols);
  const x = floats("logSoftmaxRows", "X", X, rows * cols);
  for (let i = 0; i < rows; i++) {
    const { top, sum } = shiftedSum(x, i * cols, (i + 1) * cols);
    for (let e = i * cols; e < (i + 1) * cols; e++) y[e] = x[e] - top - Math.log(sum);
  }
}

export function logSoftmaxRowsGrad(dX: Buffer, dY: Buffer, Y: Buffer, rows: number, cols: number): void {
  const kernel = "logSoftmaxRowsGrad";
  const dx = floats(kernel, "dX", dX, rows * cols);
  const dy = floats(kernel, "dY", dY, rows * cols);
  const y = floats(kernel, "Y", Y, rows * cols);
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let e = i * cols; e < (i + 1) * cols; e++) sum += dy[e];
    for (let e = i * cols; e < (i + 1) * cols; e++) dx[e] = dy[e] - Math.exp(y[e]) * sum;
  }
}

/** max x_e and Σ exp(x_e − max) over begin ≤ e < end, separately: in max + log Σ, a large max would swallow the log. */
export function shiftedSum(x: Float64Array, begin: number, end: number): { top: number; sum: number } {
  let top = Number.NEGATIVE_INFINITY;
  for (let e = begin; e < end; e++) top = Math.max(top, x[e]);
  let sum = 0;
  for (let e = begin; e < end; e++) sum += Math.exp(x[e] - top);
  return { top, sum };
}
