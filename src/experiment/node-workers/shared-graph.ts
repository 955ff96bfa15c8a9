import type { Csr } from "../../graph/csr.ts";
import { type DenseMatrix, type Features, type Graph, type GraphParts, isSparse } from "../../graph/graph.ts";

/** Copies the parts of a graph into shared memory: all threads read the same copy. */
export function shareGraph({ name, adjacency, features, labels, numClasses, directed }: Graph): GraphParts {
  return {
    name,
    adjacency: shareCsr(adjacency),
    features: shareFeatures(features),
    labels: share(labels),
    numClasses,
    directed,
  };
}

function shareFeatures(features: Features): Features {
  if (isSparse(features)) return shareCsr(features);
  const { numRows, numCols, data }: DenseMatrix = features;
  return { numRows, numCols, data: share(data) };
}

function shareCsr({ numRows, numCols, rowPtr, colIdx, values }: Csr): Csr {
  return {
    numRows,
    numCols,
    rowPtr: share(rowPtr),
    colIdx: share(colIdx),
    values: values && share(values),
  };
}

function share<A extends Int32Array | Float32Array | Float64Array>(array: A): A {
  const Kind = array.constructor as new (buffer: SharedArrayBuffer) => A;
  const copy = new Kind(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}
