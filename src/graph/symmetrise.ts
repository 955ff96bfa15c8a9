import { type Csr, transpose } from "./csr.ts";
import { Graph } from "./graph.ts";
import { mergeRows } from "./merge-rows.ts";

/** `[A + Aᵀ > 0]`: entry (i, j) is stored if (i, j) or (j, i) was. The result is unweighted. */
export function symmetrise(A: Csr): Csr {
  return mergeRows(A, transpose(A), "keep");
}

/** The graph without its directions; an undirected graph is returned as it is. */
export function toUndirected(graph: Graph): Graph {
  if (!graph.directed) return graph;
  return new Graph({ ...graph, adjacency: symmetrise(graph.adjacency), directed: false });
}
