import type { Buffer, CsrBuffers } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { floats } from "./storage.ts";

/** out = S·X, row by row. */
export function spmm(out: Buffer, S: CsrBuffers, X: Buffer, cols: number, accumulate = false): void {
  const { rowPtr, colIdx, values } = csrArrays("spmm", S);
  const y = floats("spmm", "out", out, S.numRows * cols);
  const x = floats("spmm", "X", X, S.numCols * cols);
  for (let i = 0; i < S.numRows; i++) {
    for (let c = 0; c < cols; c++) {
      let sum = accumulate ? y[i * cols + c] : 0;
      for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) sum += (values ? values[e] : 1) * x[colIdx[e] * cols + c];
      y[i * cols + c] = sum;
    }
  }
}
