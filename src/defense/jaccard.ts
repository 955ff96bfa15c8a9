import { allocRowPtr, type Csr } from "../graph/csr.ts";
import { type Features, isSparse } from "../graph/graph.ts";

/**
 * The edges between similar nodes: those with Jaccard similarity |x_i ∩ x_j| / |x_i ∪ x_j| of the non-zero features
 * above `threshold` (Wu et al. 2019). Two nodes without any word keep their edge.
 */
export function dropDissimilarEdges(A: Csr, features: Features, threshold: number): Csr {
  const isSimilar = similarPairs(features, threshold);
  const kept: number[] = [];
  const counts = new Int32Array(A.numRows);
  for (let i = 0; i < A.numRows; i++) {
    for (let e = A.rowPtr[i]; e < A.rowPtr[i + 1]; e++) {
      if (!isSimilar(i, A.colIdx[e])) continue;
      kept.push(A.colIdx[e]);
      counts[i]++;
    }
  }
  const rowPtr = allocRowPtr(A.numRows, kept.length);
  for (let i = 0; i < A.numRows; i++) rowPtr[i + 1] = rowPtr[i] + counts[i];
  return { ...A, rowPtr, colIdx: Int32Array.from(kept), values: null };
}

/** Tells which pairs of nodes would keep an edge. */
export function similarPairs(features: Features, threshold: number): (i: number, j: number) => boolean {
  const words = isSparse(features) ? features : nonZeros(features);
  return (i, j) => !(jaccard(words, i, j) <= threshold);
}

/** Share of common words of rows i and j, NaN if neither has any. Stored zeros do not count. */
export function jaccard({ rowPtr, colIdx, values }: Csr, i: number, j: number): number {
  const isWord = (e: number) => values?.[e] !== 0;
  let d = rowPtr[i];
  let e = rowPtr[j];
  let common = 0;
  let size = 0;
  while (d < rowPtr[i + 1] || e < rowPtr[j + 1]) {
    const a = d < rowPtr[i + 1] ? colIdx[d] : Number.POSITIVE_INFINITY;
    const b = e < rowPtr[j + 1] ? colIdx[e] : Number.POSITIVE_INFINITY;
    const inI = a <= b && isWord(d);
    const inJ = b <= a && isWord(e);
    if (inI && inJ) common++;
    if (inI || inJ) size++;
    if (a <= b) d++;
    if (b <= a) e++;
  }
  return common / size;
}

function nonZeros({ numRows, numCols, data }: Exclude<Features, Csr>): Csr {
  const rowPtr = allocRowPtr(numRows, data.length);
  const colIdx: number[] = [];
  for (let i = 0; i < numRows; i++) {
    for (let c = 0; c < numCols; c++) if (data[i * numCols + c] !== 0) colIdx.push(c);
    rowPtr[i + 1] = colIdx.length;
  }
  return { numRows, numCols, rowPtr, colIdx: Int32Array.from(colIdx), values: null };
}
