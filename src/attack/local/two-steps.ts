import type { Graph } from "../../graph/graph.ts";
import { neighboursOf } from "./candidates.ts";

/** The node, its neighbours and theirs. */
export function nodesWithinTwoSteps(graph: Graph, node: number): Set<number> {
  const near = [node, ...neighboursOf(graph, node)];
  return new Set(near.flatMap((v) => [v, ...neighboursOf(graph, v)]));
}
