import type { AffineColsArguments, Buffer, ScaleRowsArguments } from "../backend.ts";
import { floats } from "./storage.ts";

/** Scaling and sums over the rows and columns of a [rows, cols] matrix. */

export function scaleRows({ out, X, scale, rows, cols, accumulate = false }: ScaleRowsArguments): void {
  const y = floats("scaleRows", "out", out, rows * cols);
  const x = floats("scaleRows", "X", X, rows * cols);
  const s = floats("scaleRows", "scale", scale, rows);
  for (let i = 0; i < rows; i++) {
    for (let e = i * cols; e < (i + 1) * cols; e++) y[e] = s[i] * x[e] + (accumulate ? y[e] : 0);
  }
}

export function affineCols({ out, X, scale, shift, rows, cols }: AffineColsArguments): void {
  const y = floats("affineCols", "out", out, rows * cols);
  const x = floats("affineCols", "X", X, rows * cols);
  const s = scale && floats("affineCols", "scale", scale, cols);
  const t = shift && floats("affineCols", "shift", shift, cols);
  for (let e = 0; e < rows * cols; e++) y[e] = x[e] * (s ? s[e % cols] : 1) + (t ? t[e % cols] : 0);
}

export function rowDots(out: Buffer, A: Buffer, B: Buffer | null, rows: number, cols: number): void {
  const y = floats("rowDots", "out", out, rows);
  const a = floats("rowDots", "A", A, rows * cols);
  const b = B && floats("rowDots", "B", B, rows * cols);
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let e = i * cols; e < (i + 1) * cols; e++) sum += a[e] * (b ? b[e] : 1);
    y[i] = sum;
  }
}

export function colDots(out: Buffer, A: Buffer, B: Buffer | null, rows: number, cols: number): void {
  const y = floats("colDots", "out", out, cols);
  const a = floats("colDots", "A", A, rows * cols);
  const b = B && floats("colDots", "B", B, rows * cols);
  for (let c = 0; c < cols; c++) {
    let sum = 0;
    for (let e = c; e < rows * cols; e += cols) sum += a[e] * (b ? b[e] : 1);
    y[c] = sum;
  }
}
