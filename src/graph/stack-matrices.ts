import { allocRowPtr, type Csr } from "./csr.ts";

/**
 * Stacks matrices with the same columns, one below the other. The result has values: 1 for entries of unweighted parts.
 */
export function stackMatrices(parts: readonly Csr[], numCols: number): Csr {
  const numRows = parts.reduce((sum, part) => sum + part.numRows, 0);
  const size = parts.reduce((sum, { colIdx }) => sum + colIdx.length, 0);
  const rowPtr = allocRowPtr(numRows, size);
  const colIdx = new Int32Array(size);
  const values = new Float32Array(size);
  let row = 0;
  let entry = 0;
  for (const part of parts) {
    for (let i = 0; i < part.numRows; i++) rowPtr[row + i + 1] = entry + part.rowPtr[i + 1];
    colIdx.set(part.colIdx, entry);
    if (part.values) values.set(part.values, entry);
    else values.fill(1, entry, entry + part.colIdx.length);
    row += part.numRows;
    entry += part.colIdx.length;
  }
  return { numRows, numCols, rowPtr, colIdx, values };
}
