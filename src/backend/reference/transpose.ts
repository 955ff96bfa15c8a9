import type { Buffer } from "../backend.ts";
import { floats } from "./storage.ts";

export function transpose(out: Buffer, X: Buffer, rows: number, cols: number): void {
  const y = floats("transpose", "out", out, rows * cols);
  const x = floats("transpose", "X", X, rows * cols);
  for (let i = 0; i < rows; i++) for (let c = 0; c < cols; c++) y[c * rows + i] = x[i * cols + c];
}
