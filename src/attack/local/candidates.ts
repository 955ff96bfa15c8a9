import type { Flips } from "../../graph/flips.ts";
import type { Graph } from "../../graph/graph.ts";
import type { LocalTarget } from "./local-task.ts";

type Aim = Pick<LocalTarget, "node" | "influence">;

/** Nodes that the node aggregates from on the clean graph, ascending. */
export function neighboursOf({ adjacency: { rowPtr, colIdx } }: Graph, node: number): Int32Array {
  return colIdx.subarray(rowPtr[node], rowPtr[node + 1]);
}

/** The nodes at which edges may be flipped, ascending: one end of every flip is among them. */
export function sitesOf(graph: Graph, { node, influence }: Aim): Int32Array {
  if (influence === "direct") return Int32Array.of(node);
  const neighbours = neighboursOf(graph, node);
  return influence === "influencer" ? neighbours : Int32Array.of(node, ...neighbours).sort();
}

/** Every pair that an attack on this node may flip, in ascending order. */
export function candidateFlips(graph: Graph, aim: Aim): Flips {
  const { numNodes, directed } = graph;
  const sites = sitesOf(graph, aim);
  const isSite = new Set(sites);
  const spared = aim.influence === "influencer" ? aim.node : -1;
  const sources: number[] = [];
  const targets: number[] = [];
  const push = (source: number, target: number) => {
    if (source === target || source === spared || target === spared) return;
    sources.push(source);
    targets.push(target);
  };
  for (const a of directed ? sites : Array.from({ length: numNodes }, (_, v) => v)) {
    if (isSite.has(a)) for (let b = directed ? 0 : a + 1; b < numNodes; b++) push(a, b);
    else for (const b of sites) if (b > a) push(a, b);
  }
  return { sources: Int32Array.from(sources), targets: Int32Array.from(targets) };
}
