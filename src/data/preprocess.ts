import { largestComponentNodes } from "../graph/components.ts";
import type { Csr } from "../graph/csr.ts";
import { checkGraph, type Features, Graph, isSparse } from "../graph/graph.ts";
import { inducedSubgraph } from "../graph/induced-subgraph.ts";
import { dropSelfLoops } from "../graph/self-loops.ts";
import { symmetrise } from "../graph/symmetrise.ts";
import { checkRawGraph, type RawGraph } from "./raw-graph.ts";
import { renumberSplit, type Split } from "./splits.ts";

/** How a graph is prepared. */
export interface PreprocessOptions {
  /** Keep directions as they are listed. Default false: an edge counts both ways. */
  readonly directed?: boolean;
  /** Every non-zero feature becomes 1, as the certificates want it. Default false. */
  readonly binaryFeatures?: boolean;
  /** Keep all nodes, not only the largest component. Default: what the reader says, which is true for OGB's graphs. */
  readonly allComponents?: boolean;
}

/** A graph that is ready to be used, and what came with it. */
export interface LoadedGraph {
  readonly graph: Graph;
  /** Splits that come with the data, by name: `public`, or `mask-0`, `mask-1`, … */
  readonly splits?: Readonly<Record<string, Split>>;
  /** Id of each node in the files, for graphs that were cut to their largest component. */
  readonly nodeIds: Int32Array;
}

/**
 * The preparation of the published experiments, in their order: all edges weigh 1; unless directed, [A + Aᵀ > 0]; the
 * diagonal is removed; the largest weakly connected component is kept, its nodes in ascending order.
 */
export function preprocess(raw: RawGraph, options: PreprocessOptions = {}): LoadedGraph {
  const { directed = false, binaryFeatures = false, allComponents = raw.allComponents ?? false } = options;
  checkRawGraph(raw);
  const unweighted: Csr = { ...raw.adjacency, values: null };
  const adjacency = dropSelfLoops(directed ? unweighted : symmetrise(unweighted));
  const features = binaryFeatures ? binary(raw.features) : raw.features;
  const { name, labels, numClasses } = raw;
  const whole = new Graph({
    name,
    adjacency,
    features,
    labels,
    directed,
    ...(numClasses !== undefined && { numClasses }),
  });
  const nodeIds = allComponents ? Int32Array.from(labels.keys()) : largestComponentNodes(adjacency);
  const graph = nodeIds.length === whole.numNodes ? whole : inducedSubgraph(whole, nodeIds);
  return {
    graph: checkGraph(graph),
    nodeIds,
    ...(raw.splits && { splits: keepNodes(raw.splits, nodeIds, whole.numNodes) }),
  };
}

function keepNodes(splits: Readonly<Record<string, Split>>, kept: Int32Array, numNodes: number): Record<string, Split> {
  const renumbered = Object.entries(splits).map(([name, split]) => [name, renumberSplit(split, kept, numNodes)]);
  return Object.fromEntries(renumbered);
}

function binary(features: Features): Features {
  const ones = (values: Float32Array) => values.map((value) => (value === 0 ? 0 : 1));
  if (isSparse(features)) return { ...features, values: features.values && ones(features.values) };
  return { ...features, data: ones(features.data) };
}
