import { largestComponentNodes } from "../graph/components.ts";
import { checkGraph, type Features, Graph, isSparse } from "../graph/graph.ts";
import { inducedSubgraph } from "../graph/induced-subgraph.ts";
import { countSelfLoops, dropSelfLoops } from "../graph/self-loops.ts";
import { symmetrise } from "../graph/symmetrise.ts";
import { compactFeatures } from "./compact-features.ts";
import { type Dropped, describeDropped } from "./dropped.ts";
import { edgesOf } from "./edges-of.ts";
import { NodeIds } from "./node-ids.ts";
import { checkRawGraph, type RawGraph } from "./raw-graph.ts";
import { type ClassLabels, renumberLabels } from "./renumber-labels.ts";
import { renumberSplit, type Split } from "./splits.ts";
import { standInFeatures } from "./stand-in-features.ts";

/** How a graph is prepared. */
export interface PreprocessOptions {
  /** Keep the directions of edges. Default: what the reader says, else false, which adds the opposite of every edge. */
  readonly directed?: boolean;
  /** Set every non-zero feature to 1, as certificates need it. Default false. */
  readonly binaryFeatures?: boolean;
  /** Keep all nodes, not only the largest component. Default: what the reader says, which is true for OGB's graphs. */
  readonly allComponents?: boolean;
  /** Treat every edge as one of weight 1. Default false: other weights are an error. */
  readonly ignoreWeights?: boolean;
}

/** A graph that is ready to be used, and what came with it. */
export interface LoadedGraph {
  readonly graph: Graph;
  /** What the input calls each node of the graph. */
  readonly ids: NodeIds;
  /** What the input calls each class. */
  readonly classes: readonly string[];
  readonly dropped: Dropped;
  /** What was left out, replaced or assumed, one line each: for a user to read. */
  readonly notes: readonly string[];
  /** Splits that come with the data, by name: `public`, or `mask-0`, `mask-1`, … */
  readonly splits?: Readonly<Record<string, Split>>;
  /** The file that should hold the published split, if it is missing. */
  readonly missingSplit?: string;
}

/**
 * Prepares a graph as the published experiments do, in their order: all edges weigh 1; unless directed, [A + Aᵀ > 0];
 * the diagonal is removed; the largest weakly connected component is kept, its nodes in ascending order.
 */
export function preprocess(raw: RawGraph, options: PreprocessOptions = {}): LoadedGraph {
  const { directed = raw.directed ?? false, binaryFeatures = false, ignoreWeights = false } = options;
  const { allComponents = raw.allComponents ?? false } = options;
  checkRawGraph(raw);
  const { labels, classes } = classLabels(raw);
  const numNodes = labels.length;
  const all = raw.ids ? NodeIds.of(raw.ids, raw.where) : NodeIds.numbered(numNodes, raw.where);
  const { edges, zeros, weights } = edgesOf(raw.adjacency, all, raw.where, ignoreWeights);
  const both = directed ? edges : symmetrise(edges);
  const whole = new Graph({
    name: raw.name,
    adjacency: dropSelfLoops(both),
    features: compactFeatures(binaryFeatures ? binary(raw.features) : raw.features),
    labels,
    directed,
    numClasses: classes.length,
  });
  const kept = allComponents ? Int32Array.from(labels.keys()) : largestComponentNodes(whole.adjacency);
  const cut = kept.length === numNodes ? whole : inducedSubgraph(whole, kept);
  const standIn = cut.numFeatures === 0 ? standInFeatures(raw.name, cut.adjacency) : undefined;
  const graph = standIn ? new Graph({ ...cut, features: standIn.features }) : cut;
  const dropped: Dropped = {
    nodes: numNodes - graph.numNodes,
    edges: whole.numEdges - graph.numEdges,
    selfLoops: countSelfLoops(edges),
    zeros,
    weights,
  };
  return {
    graph: checkGraph(graph),
    ids: all.select(kept),
    classes,
    dropped,
    notes: [...(raw.notes ?? []), ...(standIn ? [standIn.note] : []), ...describeDropped(raw.name, numNodes, dropped)],
    ...(raw.splits && { splits: keepNodes(raw.splits, kept, numNodes) }),
    ...(raw.missingSplit !== undefined && { missingSplit: raw.missingSplit }),
  };
}

/** Keeps the labels where the reader knows the classes, else numbers them without gaps. */
function classLabels(raw: RawGraph): ClassLabels {
  const { labels, numClasses, classes } = raw;
  if (classes) return { labels, classes };
  if (numClasses === undefined) return renumberLabels(labels);
  return { labels, classes: Array.from({ length: numClasses }, (_, label) => String(label)) };
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
