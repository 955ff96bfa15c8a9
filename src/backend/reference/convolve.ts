import type { Buffer, Convolution, FinishBuffers, Scale } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { finishRows } from "./finish.ts";
import { sides } from "./scale.ts";
import { floats } from "./storage.ts";

/** out_i = finish(l_i · (Σ_j (A_ij + B_ij) r_j X_j + r_i X_i)). */
export function convolve(
  out: Buffer,
  { A, B }: Convolution,
  X: Buffer,
  cols: number,
  scale: Scale,
  finish?: FinishBuffers,
): void {
  const { numRows } = A;
  const [y, x] = [floats("convolve", "out", out, numRows * cols), floats("convolve", "X", X, numRows * cols)];
  const [left, right] = sides("convolve", scale, numRows);
  const matrices = (B ? [A, B] : [A]).map((S) => csrArrays("convolve", S));
  for (let i = 0; i < numRows; i++) {
    for (let c = 0; c < cols; c++) {
      let sum = right(i) * x[i * cols + c]!;
      for (const { rowPtr, colIdx, values } of matrices) {
        for (let e = rowPtr[i]!; e < rowPtr[i + 1]!; e++) {
          const j = colIdx[e]!;
          sum += (values ? values[e]! : 1) * right(j) * x[j * cols + c]!;
        }
      }
      y[i * cols + c] = left(i) * sum;
    }
  }
  finishRows("convolve", y, numRows, cols, finish);
}
