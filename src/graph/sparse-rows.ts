import { allocRowPtr, type Csr } from "./csr.ts";
import type { DenseMatrix } from "./graph.ts";

/** A dense matrix in compressed rows, without its zeros. */
export function sparseRows({ numRows, numCols, data }: DenseMatrix): Csr {
  const size = countNonZero(data);
  const rowPtr = allocRowPtr(numRows, size);
  const colIdx = new Int32Array(size);
  const values = new Float32Array(size);
  let at = 0;
  for (let i = 0; i < numRows; i++) {
    for (let j = 0; j < numCols; j++) {
      const value = data[i * numCols + j];
      if (value === 0) continue;
      colIdx[at] = j;
      values[at++] = value;
    }
    rowPtr[i + 1] = at;
  }
  return { numRows, numCols, rowPtr, colIdx, values };
}

function countNonZero(data: Float32Array): number {
  let count = 0;
  for (let at = 0; at < data.length; at++) if (data[at] !== 0) count++;
  return count;
}
