import type { DenseMatrix } from "../../graph/graph.ts";

/** The features of a graph that comes without any; `preprocess` puts others in their place. */
export function noFeatures(numNodes: number): DenseMatrix {
  return { numRows: numNodes, numCols: 0, data: new Float32Array(0) };
}
