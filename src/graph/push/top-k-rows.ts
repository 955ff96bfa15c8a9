import { allocRowPtr, type Csr } from "../csr.ts";
import type { SparseRow } from "./push.ts";

/** The `k` largest entries of a row (all if it has fewer), the lower column on ties, in ascending order of columns. */
export function topKRow({ columns, values }: SparseRow, k: number): SparseRow {
  const order = Int32Array.from({ length: columns.length }, (_, t) => t);
  if (k < order.length) order.sort((a, b) => values[b] - values[a] || columns[a] - columns[b]);
  const kept = order.subarray(0, Math.min(k, order.length)).sort((a, b) => columns[a] - columns[b]);
  return { columns: Array.from(kept, (t) => columns[t]), values: Array.from(kept, (t) => values[t]) };
}

/** Rows with ascending columns as one matrix. */
export function stackRows(rows: readonly SparseRow[], numCols: number): Csr {
  const size = rows.reduce((total, { columns }) => total + columns.length, 0);
  const rowPtr = allocRowPtr(rows.length, size);
  const colIdx = new Int32Array(size);
  const values = new Float32Array(size);
  for (const [i, row] of rows.entries()) {
    colIdx.set(row.columns, rowPtr[i]);
    values.set(row.values, rowPtr[i]);
    rowPtr[i + 1] = rowPtr[i] + row.columns.length;
  }
  return { numRows: rows.length, numCols, rowPtr, colIdx, values };
}
