import type { Rng } from "../../core/rng.ts";
import { WeightedChoice } from "../../core/weighted-choice.ts";
import type { Graph } from "../../graph/graph.ts";
import { spaceOf } from "../constraints/allowed-pairs.ts";
import type { Constraints } from "../constraints/constraints.ts";
import type { PairSpace } from "../constraints/pair-grid.ts";
import type { OpenNodes } from "./open-nodes.ts";
import type { PairKeys } from "./pair-keys.ts";

/** Share of the pairs that are drawn from all pairs, so that mutation can reach every one. */
const ANYWHERE = 0.1;
/** Share of the pairs at a neighbour of an open node: what is changed there reaches the node as well. */
const AT_NEIGHBOUR = 0.25;
/** Share of the pairs that are edges of the clean graph, where both kinds are allowed. */
const EDGES = 0.05;
/** Share of the partners that are drawn by their worth in earlier trials. */
const KNOWN_PARTNERS = 0.6;
/** Draws after which any pair or partner will do. */
const TRIES = 10;

/** Draws pairs that an attacker might flip: one end is a node that is still right, or its neighbour; the other has another label. */
export class FreshPairs {
  private readonly graph: Graph;
  private readonly keys: PairKeys;
  private readonly constraints: Constraints | undefined;
  private readonly rng: Rng;
  private readonly space: PairSpace | null;
  private open: { readonly nodes: ArrayLike<number>; readonly choice: WeightedChoice } | null = null;
  private partners = new WeightedChoice([]);

  constructor(graph: Graph, keys: PairKeys, constraints: Constraints | undefined, rng: Rng) {
    this.graph = graph;
    this.keys = keys;
    this.constraints = constraints;
    this.rng = rng;
    this.space = constraints ? spaceOf(constraints) : null;
  }

  /** From now on draws pairs at these nodes, and partners by their worth. */
  aim({ nodes, weights }: OpenNodes, worth: Float64Array): void {
    this.open = { nodes, choice: new WeightedChoice(weights) };
    this.partners = new WeightedChoice(worth);
  }

  /** The key of a pair that may be flipped on its own, or null if none was found. */
  draw(): number | null {
    for (let tries = 0; tries < TRIES; tries++) {
      const pair = this.open && this.rng.uniform() >= ANYWHERE ? this.atOpenNode(this.open) : this.anywhere();
      if (pair !== null && this.allows(...pair)) return this.keys.of(...pair);
    }
    const pair = this.anywhere();
    return pair !== null && this.allows(...pair) ? this.keys.of(...pair) : null;
  }

  private allows(i: number, j: number): boolean {
    return i !== j && (this.constraints?.allows(i, j) ?? true);
  }

  private anywhere(): readonly [number, number] | null {
    const { space, rng } = this;
    if (space) return space.size > 0 ? space.at(rng.integer(space.size)) : null;
    const { numNodes } = this.graph;
    return [rng.integer(numNodes), rng.integer(numNodes)];
  }

  private atOpenNode({ nodes, choice }: NonNullable<FreshPairs["open"]>): readonly [number, number] | null {
    const { rng, graph, constraints } = this;
    const node = nodes[choice.draw(rng)];
    const end = rng.uniform() < AT_NEIGHBOUR ? (this.neighbour(node) ?? node) : node;
    const only = constraints?.rules.only;
    const removes = only ? only === "removals" : rng.uniform() < EDGES;
    const other = removes ? this.neighbour(end) : this.partner(end);
    if (other === null) return null;
    return graph.directed && !removes && rng.uniform() < 0.5 ? [other, end] : [end, other];
  }

  private neighbour(node: number): number | null {
    const { rowPtr, colIdx } = this.graph.adjacency;
    const degree = rowPtr[node + 1] - rowPtr[node];
    return degree === 0 ? null : colIdx[rowPtr[node] + this.rng.integer(degree)];
  }

  /** A node of another label, if one is found. */
  private partner(node: number): number {
    const { labels, numNodes } = this.graph;
    const { rng, partners } = this;
    let other = node;
    for (let tries = 0; tries < TRIES && (other === node || labels[other] === labels[node]); tries++) {
      const known = rng.uniform() < KNOWN_PARTNERS ? partners.draw(rng) : -1;
      other = known >= 0 ? known : rng.integer(numNodes);
    }
    return other;
  }
}
