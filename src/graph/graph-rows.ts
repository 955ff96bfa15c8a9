import type { Features, Graph } from "./graph.ts";
import { selectRows } from "./select-rows.ts";

/**
 * A graph that is read a row at a time, so that it may be larger than memory: a file (`openNpyRows`), or whatever else has
 * these three answers.
 */
export interface GraphRows {
  readonly numNodes: number;
  /** Number of neighbours of node v. */
  degree(v: number): number;
  /** Neighbours of node v, ascending. */
  neighbours(v: number): ArrayLike<number>;
  /** The features of these nodes, a row each, in that order. */
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
