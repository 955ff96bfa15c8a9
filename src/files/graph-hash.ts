import { createHash } from "node:crypto";
import type { NodeId, NodeIds } from "../data/node-ids.ts";
import type { Graph } from "../graph/graph.ts";

/** The names that the input gives the nodes and classes of a graph. */
export interface GraphNames {
  readonly ids: NodeIds;
  /** What the input calls each class. */
  readonly classes: readonly string[];
}

/**
 * sha256 of a graph: whether it is directed and then, node by node in ascending order of ids, the node's id, its class
 * and the positions of its neighbours in that order. It does not depend on how the graph numbers its nodes and classes.
 * Features are left out, because flips do not depend on them.
 */
export function graphHash({ numNodes, adjacency, labels, directed }: Graph, { ids, classes }: GraphNames): string {
  const order = Int32Array.from({ length: numNodes }, (_, node) => node).sort((a, b) =>
    compare(ids.idOf(a), ids.idOf(b)),
  );
  const places = new Int32Array(numNodes);
  for (const [place, node] of order.entries()) places[node] = place;
  const hash = createHash("sha256");
  hash.update(`${directed ? "directed" : "undirected"} ${numNodes}\n`);
  for (const node of order) {
    const { rowPtr, colIdx } = adjacency;
    const neighbours = colIdx.slice(rowPtr[node], rowPtr[node + 1]).map((neighbour) => places[neighbour]);
    const name = labels[node] < 0 ? "" : classes[labels[node]];
    hash.update(`${JSON.stringify([ids.idOf(node), name])} ${neighbours.sort().join()}\n`);
  }
  return hash.digest("hex");
}

function compare(a: NodeId, b: NodeId): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return a < b ? -1 : a > b ? 1 : 0;
}
