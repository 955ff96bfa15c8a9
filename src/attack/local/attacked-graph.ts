import type { Graph } from "../../graph/graph.ts";
import { type GraphRows, rowsOfGraph } from "../../graph/graph-rows.ts";
import { labelsOf } from "../../nn/training/node-set.ts";
import { type GraphView, hostGraph } from "../../tensor/index.ts";

/** Rows of a graph of any size, and whether its edges have a direction. */
export type DirectedRows = GraphRows & { readonly directed: boolean };

/** What attacks on single nodes need to know of a graph, which may be larger than memory. */
export interface AttackedGraph extends DirectedRows {
  /** Classes of these nodes, each of which must have one. */
  labels(nodes: ArrayLike<number>): Int32Array;
}

/** The rows of a graph in memory. */
export function directedRows(graph: Graph): DirectedRows {
  return { ...rowsOfGraph(graph), directed: graph.directed };
}

/** A graph in memory, for an attack of this name. */
export function attackedGraph(view: GraphView, name: string): AttackedGraph {
  return { ...directedRows(hostGraph(view, name)), labels: (nodes) => labelsOf(view, nodes) };
}
