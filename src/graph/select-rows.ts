import { allocRowPtr, type Csr } from "./csr.ts";
import { type DenseMatrix, type Features, isSparse } from "./graph.ts";

/** The rows `rows` of a feature matrix, in that order, as a new matrix of the same kind. */
export function selectRows(features: Features, rows: Int32Array): Features {
  return isSparse(features) ? selectSparseRows(features, rows) : selectDenseRows(features, rows);
}

function selectDenseRows({ numCols, data }: DenseMatrix, rows: Int32Array): DenseMatrix {
  const out = new Float32Array(rows.length * numCols);
  for (let r = 0; r < rows.length; r++) {
    out.set(data.subarray(rows[r] * numCols, (rows[r] + 1) * numCols), r * numCols);
  }
  return { numRows: rows.length, numCols, data: out };
}

function selectSparseRows(A: Csr, rows: Int32Array): Csr {
  let size = 0;
  for (const row of rows) size += A.rowPtr[row + 1] - A.rowPtr[row];
  const rowPtr = allocRowPtr(rows.length, size);
  const colIdx = new Int32Array(size);
  const values = A.values ? new Float32Array(size) : null;
  for (let r = 0; r < rows.length; r++) {
    const begin = A.rowPtr[rows[r]];
    const end = A.rowPtr[rows[r] + 1];
    colIdx.set(A.colIdx.subarray(begin, end), rowPtr[r]);
    values?.set(A.values!.subarray(begin, end), rowPtr[r]);
    rowPtr[r + 1] = rowPtr[r] + end - begin;
  }
  return { numRows: rows.length, numCols: A.numCols, rowPtr, colIdx, values };
}
