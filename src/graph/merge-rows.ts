import { allocRowPtr, type Csr } from "./csr.ts";

/**
 * Merges the entries of two unweighted matrices of one shape, row by row in one pass. Entries in both are kept once
 * (`common: "keep"`, the union) or not at all (`common: "drop"`, the symmetric difference).
 */
export function mergeRows(A: Csr, B: Csr, common: "keep" | "drop"): Csr {
  const bound = A.colIdx.length + B.colIdx.length;
  const rowPtr = allocRowPtr(A.numRows, bound);
  const colIdx = new Int32Array(bound);
  const pastEnd = A.numCols; // greater than any column
  let size = 0;
  for (let i = 0; i < A.numRows; i++) {
    let a = A.rowPtr[i];
    let b = B.rowPtr[i];
    const endA = A.rowPtr[i + 1];
    const endB = B.rowPtr[i + 1];
    while (a < endA || b < endB) {
      const left = a < endA ? A.colIdx[a] : pastEnd;
      const right = b < endB ? B.colIdx[b] : pastEnd;
      if (left !== right || common === "keep") colIdx[size++] = Math.min(left, right);
      if (left <= right) a++;
      if (right <= left) b++;
    }
    rowPtr[i + 1] = size;
  }
  return { numRows: A.numRows, numCols: A.numCols, rowPtr, colIdx: colIdx.slice(0, size), values: null };
}
