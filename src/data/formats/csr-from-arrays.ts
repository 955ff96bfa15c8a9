import { DataError } from "../../core/errors.ts";
import { type Csr, checkCsr } from "../../graph/csr.ts";

export interface CsrArrays {
  readonly shape: readonly number[];
  readonly rowPtr: Int32Array | Float64Array;
  readonly colIdx: Int32Array;
  readonly values: Float32Array | null;
}

/**
 * Builds a matrix from the compressed rows in a file. Columns may come in any order and are sorted; a column twice in a
 * row, pointers that decrease and columns out of range are errors. `shape` alone makes it allocate nothing.
 */
export function csrFromArrays({ shape, rowPtr, colIdx, values }: CsrArrays, where: string): Csr {
  const [numRows, numCols] = shape as [number, number];
  if (shape.length !== 2) throw new DataError(`${where}: shape must be two sizes, got (${shape.join(", ")})`);
  checkPointers(rowPtr, numRows, colIdx.length, where);
  const unsorted = !rowsAscend(rowPtr, colIdx);
  const sorted = unsorted ? sortRows(rowPtr, colIdx, values) : { colIdx, values };
  const matrix = { numRows, numCols, rowPtr, ...sorted };
  checkCsr(matrix, where);
  return matrix;
}

function checkPointers(rowPtr: Int32Array | Float64Array, numRows: number, entries: number, where: string): void {
  const fail = (message: string): never => {
    throw new DataError(`${where}: ${message}`);
  };
  if (rowPtr.length !== numRows + 1) fail(`row pointers must have length ${numRows + 1}, got ${rowPtr.length}`);
  if (rowPtr[0] !== 0) fail(`row pointers must start at 0, got ${rowPtr[0]}`);
  for (let i = 0; i < numRows; i++) {
    if (rowPtr[i + 1] < rowPtr[i])
      fail(`row pointers must not decrease, got ${rowPtr[i]} then ${rowPtr[i + 1]} at row ${i}`);
  }
  if (rowPtr[numRows] !== entries) fail(`row pointers end at ${rowPtr[numRows]}, but there are ${entries} entries`);
}

function rowsAscend(rowPtr: Int32Array | Float64Array, colIdx: Int32Array): boolean {
  for (let i = 0; i + 1 < rowPtr.length; i++) {
    for (let e = rowPtr[i] + 1; e < rowPtr[i + 1]; e++) if (colIdx[e] < colIdx[e - 1]) return false;
  }
  return true;
}

/**
 * Row by row, so that the memory needed is that of the longest row. Column and position share one double, which the
 * engine's own sort of numbers orders ten times faster than a comparison function would.
 */
function sortRows(rowPtr: Int32Array | Float64Array, colIdx: Int32Array, values: Float32Array | null) {
  const sorted = colIdx.slice();
  const moved = values?.slice() ?? null;
  for (let i = 0; i + 1 < rowPtr.length; i++) {
    const begin = rowPtr[i];
    const length = rowPtr[i + 1] - begin;
    const keys = new Float64Array(length);
    for (let k = 0; k < length; k++) keys[k] = colIdx[begin + k] * length + k; // below 2^53: 31 bits of column, 22 of length
    keys.sort();
    for (let k = 0; k < length; k++) {
      const column = Math.floor(keys[k] / length);
      sorted[begin + k] = column;
      if (moved) moved[begin + k] = values![begin + keys[k] - column * length];
    }
  }
  return { colIdx: sorted, values: moved };
}
