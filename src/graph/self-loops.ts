import { allocRowPtr, type Csr } from "./csr.ts";

/** `A` without its diagonal. Entries are removed, not set to zero, because every stored entry is an edge. */
export function dropSelfLoops(A: Csr): Csr {
  const loops = countSelfLoops(A);
  if (loops === 0) return A;
  const size = A.colIdx.length - loops;
  const rowPtr = allocRowPtr(A.numRows, size);
  const colIdx = new Int32Array(size);
  const values = A.values ? new Float32Array(size) : null;
  let at = 0;
  for (let i = 0; i < A.numRows; i++) {
    for (let e = A.rowPtr[i]; e < A.rowPtr[i + 1]; e++) {
      if (A.colIdx[e] === i) continue;
      colIdx[at] = A.colIdx[e];
      if (values) values[at] = A.values![e];
      at++;
    }
    rowPtr[i + 1] = at;
  }
  return { ...A, rowPtr, colIdx, values };
}

export function countSelfLoops(A: Csr): number {
  let loops = 0;
  for (let i = 0; i < A.numRows; i++) {
    for (let e = A.rowPtr[i]; e < A.rowPtr[i + 1]; e++) if (A.colIdx[e] === i) loops++;
  }
  return loops;
}

/** A + I, for A without self loops. */
export function addSelfLoops({ numRows, numCols, rowPtr, colIdx }: Csr): Csr {
  const rowPtrOut = allocRowPtr(numRows, colIdx.length + numRows);
  const colIdxOut = new Int32Array(colIdx.length + numRows);
  let at = 0;
  for (let i = 0; i < numRows; i++) {
    let placed = false;
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) {
      if (!placed && colIdx[e] > i) {
        colIdxOut[at++] = i;
        placed = true;
      }
      colIdxOut[at++] = colIdx[e];
    }
    if (!placed) colIdxOut[at++] = i;
    rowPtrOut[i + 1] = at;
  }
  return { numRows, numCols, rowPtr: rowPtrOut, colIdx: colIdxOut, values: null };
}
