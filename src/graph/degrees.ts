import type { Csr } from "./csr.ts";

/** Stored entries per row: how many nodes each node aggregates from. */
export function rowDegrees(A: Csr): Int32Array {
  const degrees = new Int32Array(A.numRows);
  for (let i = 0; i < A.numRows; i++) degrees[i] = A.rowPtr[i + 1] - A.rowPtr[i];
  return degrees;
}

/** Stored entries per column: how many nodes aggregate from each node. Equal to the row degrees if undirected. */
export function columnDegrees(A: Csr): Int32Array {
  const degrees = new Int32Array(A.numCols);
  for (const j of A.colIdx) degrees[j]++;
  return degrees;
}
