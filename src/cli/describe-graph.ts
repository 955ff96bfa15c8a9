import type { LoadedGraph } from "../data/preprocess.ts";
import { rowDegrees } from "../graph/degrees.ts";
import { edgeHomophily } from "../graph/edge-homophily.ts";
import { isSparse } from "../graph/graph.ts";

/** What `rgnn data info` says about a graph; keys are those of its JSON. */
export function describeGraph({ graph, classes, dropped, splits = {} }: LoadedGraph) {
  const { name, numNodes, numFeatures, numClasses, directed, features, labels } = graph;
  const classSizes = new Array<number>(numClasses).fill(0);
  for (const label of labels) if (label >= 0) classSizes[label]++;
  const homophily = edgeHomophily(graph);
  const sizes = Object.entries(splits).map(([split, { train, val, test }]) => [
    split,
    { train: train.length, val: val.length, test: test.length },
  ]);
  return {
    name,
    numNodes,
    numEdges: graph.numEntries, // stored entries, as in the paper's table
    numFeatures,
    numClasses,
    directed,
    numFeatureEntries: isSparse(features) ? features.colIdx.length : features.data.length,
    classes,
    classSizes,
    dropped,
    degrees: degreeRange(rowDegrees(graph.adjacency)),
    homophily: Number.isNaN(homophily) ? null : homophily,
    splits: Object.fromEntries(sizes) as Record<string, { train: number; val: number; test: number }>,
  };
}

function degreeRange(degrees: Int32Array) {
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  let sum = 0;
  for (const degree of degrees) {
    if (degree < min) min = degree;
    if (degree > max) max = degree;
    sum += degree;
  }
  return { min, max, mean: sum / degrees.length };
}
