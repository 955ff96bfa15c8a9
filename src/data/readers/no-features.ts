import type { DenseMatrix } from "../../graph/graph.ts";

/** A matrix without columns for a graph that has no features; `preprocess` replaces it. */
export function noFeatures(numNodes: number): DenseMatrix {
  return { numRows: numNodes, numCols: 0, data: new Float32Array(0) };
}
