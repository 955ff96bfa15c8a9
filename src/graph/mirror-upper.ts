import { allocRowPtr, type Csr } from "./csr.ts";

/**
 * U + Uᵀ for an unweighted matrix whose entries all lie above its diagonal. Both directions of an entry are written in one pass: going
 * through rows in order, what mirrors into row j comes with ascending columns below j, and before the entries of row j itself.
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
