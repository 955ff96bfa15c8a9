import { check } from "../../core/errors.ts";
import type { Backend, Buffer } from "../backend.ts";
import { elements, floats, ints } from "./storage.ts";

/** Rows and entries chosen by an index per row: argmax, gather, scatter, pick. */

export function argmaxRows(out: Buffer, X: Buffer, rows: number, cols: number, exclude?: Buffer): void {
  const y = ints("argmaxRows", "out", out, rows);
  const x = floats("argmaxRows", "X", X, rows * cols);
  const skip = exclude && ints("argmaxRows", "exclude", exclude, rows);
  for (let i = 0; i < rows; i++) {
    let best = -1;
    for (let c = 0; c < cols; c++) {
      if (skip && skip[i] === c) continue;
      if (best < 0 || x[i * cols + c] > x[i * cols + best]) best = c;
    }
    y[i] = best;
  }
}

export function gatherRows(out: Buffer, X: Buffer, index: Buffer, cols: number): void {
  const at = ints("gatherRows", "index", index);
  const y = elements("gatherRows", "out", out, out.dtype, at.length * cols);
  const x = elements("gatherRows", "X", X, out.dtype);
  checkIndices("gatherRows", "index", at, cols === 0 ? Number.POSITIVE_INFINITY : Math.floor(x.length / cols));
  for (let t = 0; t < at.length; t++) {
    for (let c = 0; c < cols; c++) y[t * cols + c] = x[at[t] * cols + c];
  }
}

export function scatterAddRows(out: Buffer, X: Buffer, index: Buffer, rows: number, cols: number): void {
  const at = ints("scatterAddRows", "index", index);
  const y = floats("scatterAddRows", "out", out, rows * cols);
  const x = floats("scatterAddRows", "X", X, at.length * cols);
  checkIndices("scatterAddRows", "index", at, rows);
  for (let t = 0; t < at.length; t++) {
    for (let c = 0; c < cols; c++) y[at[t] * cols + c] += x[t * cols + c];
  }
}

export function groupIndices(rowPtr: Buffer, order: Buffer, index: Buffer): void {
  const at = ints("groupIndices", "index", index);
  const begin = ints("groupIndices", "rowPtr", rowPtr);
  const places = ints("groupIndices", "order", order, at.length);
  checkIndices("groupIndices", "index", at, begin.length - 1);
  places.set(Int32Array.from(at.keys()).sort((s, t) => at[s] - at[t] || s - t));
  begin.fill(0);
  for (const i of at) begin[i + 1]++;
  for (let i = 1; i < begin.length; i++) begin[i] += begin[i - 1];
}

export function pick(out: Buffer, X: Buffer, column: Buffer, cols: number): void {
  const at = ints("pick", "column", column);
  const y = floats("pick", "out", out, at.length);
  const x = floats("pick", "X", X, at.length * cols);
  checkIndices("pick", "column", at, cols);
  for (let t = 0; t < at.length; t++) y[t] = x[t * cols + at[t]];
}

export function pickGrad(out: Buffer, x: Buffer, column: Buffer, cols: number): void {
  const at = ints("pickGrad", "column", column);
  const y = floats("pickGrad", "out", out, at.length * cols);
  const dy = floats("pickGrad", "x", x, at.length);
  checkIndices("pickGrad", "column", at, cols);
  for (let t = 0; t < at.length; t++) y[t * cols + at[t]] += dy[t];
}

function checkIndices(kernel: string, argument: string, at: Int32Array, bound: number): void {
  const wrong = at.findIndex((index) => index < 0 || index >= bound);
  check(wrong < 0, () => `${kernel}: ${argument}[${wrong}] must be in 0 … ${bound - 1}, got ${at[wrong]}`);
}

export function margins(out: Buffer, rivals: Buffer, X: Buffer, column: Buffer, cols: number): void {
  const at = ints("margins", "column", column);
  const y = floats("margins", "out", out, at.length);
  const x = floats("margins", "X", X, at.length * cols);
  const rival = ints("margins", "rivals", rivals, at.length);
  argmaxRows(rivals, X, at.length, cols, column);
  for (let t = 0; t < at.length; t++) y[t] = x[t * cols + at[t]] - x[t * cols + rival[t]];
}

export function marginsGrad(dX: Buffer, x: Buffer, column: Buffer, rivals: Buffer, cols: number): void {
  const at = ints("marginsGrad", "column", column);
  const rival = ints("marginsGrad", "rivals", rivals);
  const y = floats("marginsGrad", "dX", dX, at.length * cols);
  const dy = floats("marginsGrad", "x", x, at.length);
  y.fill(0, 0, at.length * cols);
  for (let t = 0; t < at.length; t++) {
    y[t * cols + at[t]] = dy[t];
    y[t * cols + rival[t]] = -dy[t];
  }
}

export const tanhMargins: Backend["tanhMargins"] = ({ out, correct, saved: made, X, column, cols, factor }) => {
  const name = "tanhMargins";
  const { tanhs, rivals } = made;
  const total = floats(name, "out", out, 1);
  const right = floats(name, "correct", correct, 1);
  const t = floats(name, "tanhs", tanhs, column.length);
  const at = ints(name, "column", column);
  const rival = ints(name, "rivals", rivals);
  margins(tanhs, rivals, X, column, cols);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < column.length; i++) {
    if (t[i] > 0 || (t[i] === 0 && at[i] < rival[i])) count++;
    sum += t[i] = Math.tanh(t[i]);
  }
  total[0] = factor * sum;
  right[0] = count;
};

export const tanhMarginsGrad: Backend["tanhMarginsGrad"] = ({ dX, d, saved: made, column, cols, factor }) => {
  const name = "tanhMarginsGrad";
  const y = floats(name, "dX", dX, column.length * cols);
  const t = floats(name, "tanhs", made.tanhs, column.length);
  const slope = floats(name, "d", d, 1)[0];
  const at = ints(name, "column", column);
  const rival = ints(name, "rivals", made.rivals);
  y.fill(0, 0, at.length * cols);
  for (let i = 0; i < at.length; i++) {
    const s = slope * factor * (1 - t[i] * t[i]);
    y[i * cols + at[i]] = s;
    y[i * cols + rival[i]] = -s;
  }
};
