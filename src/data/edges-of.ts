import { check, DataError } from "../core/errors.ts";
import { allocRowPtr, type Csr } from "../graph/csr.ts";
import type { NodeIds } from "./node-ids.ts";

/** The unweighted edges of a stored matrix, and what was left out or ignored to get them. */
export interface EdgesOf {
  readonly edges: Csr;
  /** Stored zeros, which are no edges. */
  readonly zeros: number;
  /** Entries with a weight other than 1 that was ignored. */
  readonly weights: number;
}

/**
 * The unweighted edges of a stored matrix. Entries of value 0 are no edges. Models, attacks and PageRank know edges of
 * weight 1 only, so other weights are an error unless they may be ignored.
 */
export function edgesOf(A: Csr, ids: NodeIds, where: string, ignoreWeights: boolean): EdgesOf {
  const { values } = A;
  if (values === null) return { edges: A, zeros: 0, weights: 0 };
  let zeros = 0;
  let weights = 0;
  for (let e = 0; e < values.length; e++) {
    const value = values[e];
    if (value === 0) zeros++;
    else if (value !== 1) {
      check(
        ignoreWeights && Number.isFinite(value),
        () =>
          `${where}: ${entryAt(A, e, ids)} has weight ${value}, but edges are used without weights; ${wayOut(value)}`,
        DataError,
      );
      weights++;
    }
  }
  return { edges: zeros === 0 ? { ...A, values: null } : withoutZeros(A, values, zeros), zeros, weights };
}

function wayOut(weight: number): string {
  return Number.isFinite(weight) ? "--ignore-weights makes every weight 1" : "weights must be finite";
}

function entryAt({ rowPtr, colIdx }: Csr, e: number, ids: NodeIds): string {
  let row = 0;
  while (rowPtr[row + 1] <= e) row++;
  return `the edge from ${ids.idOf(row)} to ${ids.idOf(colIdx[e])}`;
}

function withoutZeros(A: Csr, values: Float32Array, zeros: number): Csr {
  const size = A.colIdx.length - zeros;
  const rowPtr = allocRowPtr(A.numRows, size);
  const colIdx = new Int32Array(size);
  let at = 0;
  for (let i = 0; i < A.numRows; i++) {
    for (let e = A.rowPtr[i]; e < A.rowPtr[i + 1]; e++) if (values[e] !== 0) colIdx[at++] = A.colIdx[e];
    rowPtr[i + 1] = at;
  }
  return { ...A, rowPtr, colIdx, values: null };
}
