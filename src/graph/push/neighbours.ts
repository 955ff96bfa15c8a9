import type { Csr } from "../csr.ts";

/**
 * All that push asks of a graph, so that one that does not fit in memory can be a mapped file or a service. Rows are
 * unweighted: entries with a weight of zero must be left out.
 */
export interface Neighbours {
  /** Number of stored entries of row v. */
  degree(v: number): number;
  /** Columns of row v. */
  neighbours(v: number): ArrayLike<number>;
}

/** A matrix in memory; its values play no part. */
export function neighboursOf({ rowPtr, colIdx }: Csr): Neighbours {
  return {
    degree: (v) => rowPtr[v + 1] - rowPtr[v],
    neighbours: (v) => colIdx.subarray(rowPtr[v], rowPtr[v + 1]),
  };
}
