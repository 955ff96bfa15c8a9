import type { GraphRows } from "./graph-rows.ts";

/** The nodes around some given nodes. */
export interface NearNodes {
  /** Nearest first, beginning with the given nodes. */
  readonly nodes: Int32Array;
  /** For each of `nodes`, how many steps it is from the nearest given node. */
  readonly distances: Int32Array;
  /** False if nodes within reach were left out because there are more than `most`. */
  readonly complete: boolean;
}

/** At most `most` nodes within `hops` steps along the edges. Only rows of nodes on the way are read. */
export function nearNodes(
  rows: Pick<GraphRows, "neighbours">,
  from: ArrayLike<number>,
  { hops, most }: { hops: number; most: number },
): NearNodes {
  const distances = new Map<number, number>();
  let complete = true;
  let frontier: number[] = [];
  const visit = (node: number, distance: number) => {
    if (distances.has(node)) return;
    if (distances.size >= most) complete = false;
    else {
      distances.set(node, distance);
      frontier.push(node);
    }
  };
  for (let k = 0; k < from.length; k++) visit(from[k], 0);
  for (let distance = 1; distance <= hops && complete; distance++) {
    const reached = frontier;
    frontier = [];
    for (const node of reached) {
      const neighbours = rows.neighbours(node);
      for (let k = 0; k < neighbours.length && complete; k++) visit(neighbours[k], distance);
    }
  }
  return { nodes: Int32Array.from(distances.keys()), distances: Int32Array.from(distances.values()), complete };
}

/** The edges between these nodes. Of an undirected graph, each once. */
export function edgesBetween(
  rows: Pick<GraphRows, "neighbours">,
  nodes: Int32Array,
  directed: boolean,
): [number, number][] {
  const shown = new Set(nodes);
  const edges: [number, number][] = [];
  for (const source of nodes) {
    const neighbours = rows.neighbours(source);
    for (let k = 0; k < neighbours.length; k++) {
      const target = neighbours[k];
      if (shown.has(target) && (directed || source < target)) edges.push([source, target]);
    }
  }
  return edges;
}
