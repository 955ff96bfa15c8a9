import { allocRowPtr, type Csr } from "./csr.ts";

/**
 * U + Uᵀ for an unweighted matrix U whose entries all lie above its diagonal. One pass over the rows in order writes
 * both directions of each entry. Columns ascend, because the entries mirrored into row j have columns below j, come in
 * ascending order, and are written before row j's own.
 */
export function mirrorUpper({ numRows, numCols, rowPtr, colIdx }: Csr): Csr {
  const upper = rowPtr[numRows];
  const mirrored = allocRowPtr(numRows, 2 * upper);
  for (let i = 0; i < numRows; i++) mirrored[i + 1] += rowPtr[i + 1] - rowPtr[i];
  for (let e = 0; e < upper; e++) mirrored[colIdx[e] + 1]++;
  for (let i = 0; i < numRows; i++) mirrored[i + 1] += mirrored[i];
  const next = mirrored.slice();
  const both = new Int32Array(2 * upper);
  for (let i = 0; i < numRows; i++) {
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) {
      const j = colIdx[e];
      both[next[i]++] = j;
      both[next[j]++] = i;
    }
  }
  return { numRows, numCols, rowPtr: mirrored, colIdx: both, values: null };
}
