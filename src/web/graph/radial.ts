import type { Surroundings } from "rgnn/lab";

/** Where a node of a neighbourhood is drawn. */
export interface Placed {
  readonly node: number;
  readonly x: number;
  readonly y: number;
  /** Steps from the middle: 0, 1, or 2 for all that is further away. */
  readonly ring: number;
}

export const RING = 100;

/**
 * Places a neighbourhood on two rings around its node: on the first its neighbours, sorted by class; on the second all
 * others, in the order of the neighbours that lead to them. Added edges count as edges, so their other ends are on the
 * first ring.
 */
export function placeRadially({ nodes, edges }: Surroundings, labels: readonly number[]): Placed[] {
  const middle = nodes[0];
  const adjacent = new Map<number, number[]>(nodes.map((node) => [node, []]));
  for (let e = 0; e < edges.length; e += 2) {
    adjacent.get(edges[e])!.push(edges[e + 1]);
    adjacent.get(edges[e + 1])!.push(edges[e]);
  }
  const near = [...new Set(adjacent.get(middle)!)].sort((a, b) => labels[a] - labels[b] || a - b);
  const turnOf = new Map(near.map((node, k) => [node, k / near.length]));
  const isNear = new Set([middle, ...near]);
  const parentTurn = (node: number) => {
    const parent = adjacent.get(node)!.find((other) => turnOf.has(other));
    return parent === undefined ? 1 : turnOf.get(parent)!;
  };
  const far = nodes.filter((node) => !isNear.has(node)).sort((a, b) => parentTurn(a) - parentTurn(b) || a - b);
  return [{ node: middle, x: 0, y: 0, ring: 0 }, ...onRing(near, 1, near.length < 3 ? 0.1 : 0), ...onRing(far, 2, 0)];
}

function onRing(nodes: readonly number[], ring: number, turn: number): Placed[] {
  return nodes.map((node, k) => {
    const angle = 2 * Math.PI * (k / nodes.length + turn) - Math.PI / 2;
    return { node, x: ring * RING * Math.cos(angle), y: ring * RING * Math.sin(angle), ring };
  });
}
