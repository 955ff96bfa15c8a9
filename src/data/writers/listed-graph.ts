import type { Graph } from "../../graph/graph.ts";
import { isSparse } from "../../graph/graph.ts";
import type { NodeId } from "../node-ids.ts";
import type { Split } from "../splits.ts";
import type { GraphContext } from "./graph-context.ts";

/** A graph as lists of nodes and edges, with ids of nodes and names of classes: what text formats write. */
export interface ListedGraph {
  readonly directed: boolean;
  readonly numFeatures: number;
  readonly nodes: readonly ListedNode[];
  /** An undirected edge is listed once. */
  readonly edges: readonly (readonly [NodeId, NodeId])[];
}

export interface ListedNode {
  readonly id: NodeId;
  /** Null where the class is unknown. */
  readonly label: string | null;
  readonly features: readonly number[];
  /** The set of the only split that it is in; null if it is in none, or if there are several splits. */
  readonly set: keyof Split | null;
  /** Other whole numbers known of the node, such as its degree. All nodes have the same names here. */
  readonly counts?: Readonly<Record<string, number>>;
}

export function listGraph(graph: Graph, { ids, classes, splits = {} }: GraphContext): ListedGraph {
  const { numNodes, numFeatures, labels, directed, adjacency } = graph;
  const idOf = (node: number): NodeId => ids?.idOf(node) ?? node;
  const sets = setsOf(splits, numNodes);
  const nodes = Array.from({ length: numNodes }, (_, node) => ({
    id: idOf(node),
    label: labels[node] < 0 ? null : (classes?.[labels[node]] ?? String(labels[node])),
    features: featureRow(graph, node),
    set: sets[node],
  }));
  const edges: [NodeId, NodeId][] = [];
  for (let i = 0; i < numNodes; i++) {
    for (let e = adjacency.rowPtr[i]; e < adjacency.rowPtr[i + 1]; e++) {
      const j = adjacency.colIdx[e];
      if (directed || i < j) edges.push([idOf(i), idOf(j)]);
    }
  }
  return { directed, numFeatures, nodes, edges };
}

function setsOf(splits: Readonly<Record<string, Split>>, numNodes: number): (keyof Split | null)[] {
  const sets = new Array<keyof Split | null>(numNodes).fill(null);
  const all = Object.values(splits);
  if (all.length !== 1) return sets;
  for (const set of ["train", "val", "test"] as const) for (const node of all[0][set]) sets[node] = set;
  return sets;
}

function featureRow({ features }: Graph, node: number): number[] {
  const { numCols } = features;
  if (!isSparse(features)) return Array.from(features.data.subarray(node * numCols, (node + 1) * numCols));
  const row = new Array<number>(numCols).fill(0);
  for (let e = features.rowPtr[node]; e < features.rowPtr[node + 1]; e++) {
    row[features.colIdx[e]] = features.values?.[e] ?? 1;
  }
  return row;
}
