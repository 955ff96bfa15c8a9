import type { Buffer, CsrBuffers } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { floats } from "./storage.ts";

/** out = (S·X)ᵀ, column by column of X. */
export function spmmTransposed(out: Buffer, S: CsrBuffers, X: Buffer, cols: number): void {
  const name = "spmmTransposed";
  const { rowPtr, colIdx, values } = csrArrays(name, S);
  const y = floats(name, "out", out, S.numRows * cols);
  const x = floats(name, "X", X, S.numCols * cols);
  for (let c = 0; c < cols; c++) {
    for (let i = 0; i < S.numRows; i++) {
      let sum = 0;
      for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) sum += (values ? values[e] : 1) * x[colIdx[e] * cols + c];
      y[c * S.numRows + i] = sum;
    }
  }
}
