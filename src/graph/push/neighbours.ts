import type { Csr } from "../csr.ts";

/**
 * What push needs from a graph. A graph that does not fit in memory can be a mapped file or a service. Rows are
 * unweighted: leave out entries of weight 0.
 */
export interface Neighbours {
  /** Number of stored entries of row v. */
  degree(v: number): number;
  /** Columns of row v. */
  neighbours(v: number): ArrayLike<number>;
}

/** The neighbours in a matrix in memory; its values are ignored. */
export function neighboursOf({ rowPtr, colIdx }: Csr): Neighbours {
  return {
    degree: (v) => rowPtr[v + 1] - rowPtr[v],
    neighbours: (v) => colIdx.subarray(rowPtr[v], rowPtr[v + 1]),
  };
}
