import { type Csr, hasEntry } from "../../graph/csr.ts";
import type { Flips } from "../../graph/flips.ts";
import type { Constraints } from "./constraints.ts";
import { PairGrid, type PairSpace } from "./pair-grid.ts";

/** How many pairs may be flipped. Linear in nodes, edges and protected pairs, however many pairs there are. */
export function countAllowed(constraints: Constraints): number {
  const { graph, rules, sides, protectedPairs } = constraints;
  const { adjacency, directed } = graph;
  if (rules.only === "removals") return countPairs(adjacency, directed, (i, j) => constraints.allows(i, j));
  const isJoined = (i: number, j: number) => constraints.joins(i, j);
  const addsOnly = rules.only === "additions";
  const edges = addsOnly ? countPairs(adjacency, directed, isJoined) : 0;
  const isExtra = (i: number, j: number) => isJoined(i, j) && !(addsOnly && hasEntry(adjacency, i, j));
  const others = protectedPairs ? countPairs(protectedPairs, directed, isExtra) : 0;
  return gridSize(sides, directed) - edges - others;
}

/** All pairs that may be flipped, in ascending order. */
export function listAllowed(constraints: Constraints): Flips {
  const { graph, rules, sides } = constraints;
  const sources: number[] = [];
  const targets: number[] = [];
  const offer = (i: number, j: number) => {
    if (!constraints.allows(i, j)) return;
    sources.push(i);
    targets.push(j);
  };
  if (rules.only === "removals") visitPairs(graph.adjacency, graph.directed, offer);
  else {
    const grid = new PairGrid(sides, graph.directed);
    for (let index = 0; index < grid.size; index++) offer(...grid.at(index));
  }
  return { sources: Int32Array.from(sources), targets: Int32Array.from(targets) };
}

/**
 * The pairs to draw from, of which at least every second one may be flipped: all pairs between the two sets of nodes,
 * or a list of all allowed pairs. The list is no longer than edges and protected pairs together, because only these can
 * be missing from the sets.
 */
export function spaceOf(constraints: Constraints): PairSpace {
  const { graph, rules, sides } = constraints;
  const isSparse = rules.only === "removals" || countAllowed(constraints) < gridSize(sides, graph.directed) / 2;
  return isSparse ? new PairList(listAllowed(constraints)) : new PairGrid(sides, graph.directed);
}

/** Pairs one by one. */
export class PairList implements PairSpace {
  private readonly pairs: Flips;

  constructor(pairs: Flips) {
    this.pairs = pairs;
  }

  get size(): number {
    return this.pairs.sources.length;
  }

  at(index: number): readonly [number, number] {
    return [this.pairs.sources[index], this.pairs.targets[index]];
  }
}

/** The number of pairs with one end in each set: the size of a {@link PairGrid}, without making one. */
function gridSize(sides: Uint8Array, directed: boolean): number {
  const counts = [0, 0, 0, 0];
  for (const side of sides) counts[side]++;
  const [, first, second, both] = counts;
  const unordered = first * second + (first + second) * both + (both * (both - 1)) / 2;
  return directed ? 2 * unordered : unordered;
}

/** How many of the pairs that a matrix stores pass. */
function countPairs(matrix: Csr, directed: boolean, passes: (i: number, j: number) => boolean): number {
  let count = 0;
  visitPairs(matrix, directed, (i, j) => {
    if (passes(i, j)) count++;
  });
  return count;
}

/** Every pair that a matrix stores, an undirected one once. */
function visitPairs({ numRows, rowPtr, colIdx }: Csr, directed: boolean, visit: (i: number, j: number) => void): void {
  for (let i = 0; i < numRows; i++) {
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) if (directed || i < colIdx[e]) visit(i, colIdx[e]);
  }
}
