import type { Buffer, CsrBuffers } from "../backend.ts";
import { floats, ints } from "./storage.ts";

/** The arrays of a sparse matrix, once their lengths are checked. `colIdx` may be longer than the entries it holds. */
export function csrArrays(kernel: string, S: CsrBuffers) {
  const rowPtr = ints(kernel, "S.rowPtr", S.rowPtr, S.numRows + 1);
  const entries = rowPtr[S.numRows];
  const colIdx = ints(kernel, "S.colIdx", S.colIdx, entries);
  const values = S.values && floats(kernel, "S.values", S.values, entries);
  return { rowPtr, colIdx, values, entries };
}

/** out_i = Σ_j S_ij. */
export function rowSums(out: Buffer, S: CsrBuffers, accumulate = false): void {
  const { rowPtr, values } = csrArrays("rowSums", S);
  const y = floats("rowSums", "out", out, S.numRows);
  for (let i = 0; i < S.numRows; i++) {
    let sum = accumulate ? y[i] : 0;
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) sum += values ? values[e] : 1;
    y[i] = sum;
  }
}
