import { type FlipAction, type Flips, rowActions } from "../../graph/flips.ts";
import type { DirectedRows } from "./attacked-graph.ts";

/** What this file needs of a graph. */
type Rows = Pick<DirectedRows, "neighbours" | "directed">;

/** The surroundings of a node, with the edges before and after its perturbation. */
export interface Neighbourhood {
  /** The node itself, then the ends of its flips, its neighbours, and their neighbours. */
  readonly nodes: Int32Array;
  /** The edges between these, each once. */
  readonly edges: readonly NeighbourhoodEdge[];
  /** False if nodes within two steps were left out. */
  readonly complete: boolean;
}

/** An edge of a {@link Neighbourhood}. */
export interface NeighbourhoodEdge {
  readonly source: number;
  readonly target: number;
  /** Null if the perturbation leaves the edge alone. */
  readonly action: FlipAction | null;
}

/** A neighbourhood of which nothing was kept. */
export const unseen: Neighbourhood = { nodes: new Int32Array(0), edges: [], complete: false };

/** Most nodes of a neighbourhood: as many as a picture can show. */
const MOST_NODES = 100;

/** Nodes within two steps of `node`, the nearest first, and the edges between them. */
export function neighbourhoodOf(graph: Rows, node: number, flips: Flips): Neighbourhood {
  const near = new Set([node, ...flips.sources, ...flips.targets]);
  for (const neighbour of Array.from(graph.neighbours(node))) near.add(neighbour);
  for (const neighbour of [...near]) {
    if (near.size > MOST_NODES) break;
    for (const next of Array.from(graph.neighbours(neighbour))) near.add(next);
  }
  const nodes = [...near].slice(0, MOST_NODES);
  const edges = edgesWithin(graph, new Set(nodes), flips);
  return { nodes: Int32Array.from(nodes), edges, complete: near.size === nodes.length };
}

function edgesWithin(graph: Rows, shown: ReadonlySet<number>, flips: Flips): NeighbourhoodEdge[] {
  const actions = rowActions(graph, flips);
  const byPair = new Map(actions.map((action, k) => [`${flips.sources[k]},${flips.targets[k]}`, action]));
  const edges: NeighbourhoodEdge[] = [];
  for (const source of shown) {
    for (const target of Array.from(graph.neighbours(source))) {
      if (!shown.has(target) || (!graph.directed && source > target)) continue;
      edges.push({ source, target, action: byPair.get(`${source},${target}`) ?? null });
    }
  }
  for (const [k, action] of actions.entries()) {
    const source = flips.sources[k];
    const target = flips.targets[k];
    if (action === "add" && shown.has(source) && shown.has(target)) edges.push({ source, target, action });
  }
  return edges;
}
