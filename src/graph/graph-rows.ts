import type { Features, Graph } from "./graph.ts";
import { selectRows } from "./select-rows.ts";

/**
 * A graph that is read row by row, so that it may be larger than memory: a graph store (`openStore`), or anything else that
 * implements these methods.
 */
export interface GraphRows {
  readonly numNodes: number;
  /** Number of neighbours of node v. */
  degree(v: number): number;
  /** Neighbours of node v, ascending. */
  neighbours(v: number): ArrayLike<number>;
  /** The features of these nodes, one row each, in this order. */
  features(nodes: Int32Array): Features;
}

/** The rows of a graph in memory. */
export function rowsOfGraph({ numNodes, adjacency, features }: Graph): GraphRows {
  const { rowPtr, colIdx } = adjacency;
  return {
    numNodes,
    degree: (v) => rowPtr[v + 1] - rowPtr[v],
    neighbours: (v) => colIdx.subarray(rowPtr[v], rowPtr[v + 1]),
    features: (nodes) => selectRows(features, nodes),
  };
}

/** Whether row v lists w. */
export function hasNeighbour(rows: Pick<GraphRows, "neighbours">, v: number, w: number): boolean {
  const row = rows.neighbours(v);
  let low = 0;
  for (let high = row.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (row[middle] < w) low = middle + 1;
    else high = middle;
  }
  return row[low] === w;
}
