import { createHash } from "node:crypto";
import { type Features, type Graph, isSparse } from "../../graph/graph.ts";

/**
 * sha256 of all that a graph holds, in the order of its nodes: edges, features, labels. (`graphHash`, by which flips find their graph,
 * leaves out the features and the order; results depend on both.)
 */
export function graphContentHash({ adjacency, features, labels, numClasses, directed }: Graph): string {
  const hash = createHash("sha256");
  hash.update(`${directed ? "directed" : "undirected"} ${adjacency.numRows} ${numClasses}\n`);
  for (const array of [adjacency.rowPtr, adjacency.colIdx, labels, ...featureArrays(features)]) {
    hash.update(`${array.constructor.name} ${array.length}\n`);
    hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  }
  return hash.digest("hex");
}

function featureArrays(features: Features) {
  if (!isSparse(features)) return [features.data];
  const { rowPtr, colIdx, values } = features;
  return values ? [rowPtr, colIdx, values] : [rowPtr, colIdx];
}
