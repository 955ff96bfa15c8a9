import { check, ShapeError } from "../../core/errors.ts";
import { type Csr, csrFromEntries, hasEntry } from "../../graph/csr.ts";
import { columnDegrees, rowDegrees } from "../../graph/degrees.ts";
import type { Flips } from "../../graph/flips.ts";
import type { Graph } from "../../graph/graph.ts";
import { symmetrise } from "../../graph/symmetrise.ts";
import { roundHalfToEven } from "../budget.ts";

/** Which flips an attacker may make: all, less what each rule forbids. */
export interface ConstraintRules {
  /** Edges may only be added, or only removed. */
  readonly only?: "additions" | "removals";
  /** No pair with one of these nodes may be flipped. */
  readonly protectedNodes?: ArrayLike<number>;
  /** These pairs may not be flipped, whether they are edges or not. */
  readonly protectedEdges?: Flips;
  /** Only pairs with one end in each of two sets of nodes, which may share some. A directed pair may go either way. */
  readonly between?: readonly [ArrayLike<number>, ArrayLike<number>];
  /**
   * How many flips each node may have at most: a share of its degree, half-way cases going to the even number as in budgets, or a
   * number for each node. A node whose share rounds to 0 is left alone. The flips at a node are all pairs that it is an end of,
   * source or target, and its degree counts its edges in the same way.
   */
  readonly perNode?: number | Int32Array;
}

/**
 * One end of an allowed pair is in the first set, the other in the second; nodes that may not be touched are in
 * neither.
 */
const FIRST = 1;
const SECOND = 2;

/**
 * What an attacker may do to a graph, apart from the budget.
 *
 * @example
 * const constraints = new Constraints(graph, { only: "additions", perNode: 0.5 });
 * const { perturbation } = await prbcd(model, view, { nodes: split.test, budget: 100, rng: new Rng(0), constraints });
 */
export class Constraints {
  readonly graph: Graph;
  readonly rules: ConstraintRules;
  /** Which of the two sets each node is in, as bits. @internal */
  readonly sides: Uint8Array;
  /** Pairs that may not be flipped, both directions of each if undirected. @internal */
  readonly protectedPairs: Csr | null;
  private readonly limits: Int32Array | null;

  constructor(graph: Graph, rules: ConstraintRules) {
    const { only } = rules;
    check(
      only === undefined || only === "additions" || only === "removals",
      () => `constraints: only must be additions or removals, got ${only}`,
    );
    this.graph = graph;
    this.rules = rules;
    this.limits = rules.perNode === undefined ? null : limitsOf(graph, rules.perNode);
    this.sides = sidesOf(graph.numNodes, rules, this.limits);
    this.protectedPairs = rules.protectedEdges ? matrixOf(graph, rules.protectedEdges) : null;
  }

  /** True if nothing is forbidden. */
  get isUnlimited(): boolean {
    const { only, protectedNodes, protectedEdges, between, perNode } = this.rules;
    const named = (protectedNodes?.length ?? 0) + (protectedEdges?.sources.length ?? 0);
    return only === undefined && named === 0 && between === undefined && perNode === undefined;
  }

  /** True if nodes have limits of their own. */
  get hasLimits(): boolean {
    return this.limits !== null;
  }

  /** Most flips at a node; infinite if nodes have no limits. */
  limitOf(node: number): number {
    return this.limits?.[node] ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Whether the pair (i, j) may be flipped on its own. Whether limits leave room for it beside other flips is for
   * `Allowance` to say.
   */
  allows(i: number, j: number): boolean {
    const { graph, rules, protectedPairs } = this;
    if (i === j || !this.joins(i, j)) return false;
    if (rules.only && hasEntry(graph.adjacency, i, j) !== (rules.only === "removals")) return false;
    return protectedPairs === null || !hasEntry(protectedPairs, i, j);
  }

  /** Whether one of the nodes is in the first set and the other in the second. @internal */
  joins(i: number, j: number): boolean {
    const a = this.sides[i];
    const b = this.sides[j];
    return ((a & FIRST) !== 0 && (b & SECOND) !== 0) || ((a & SECOND) !== 0 && (b & FIRST) !== 0);
  }

  /** The first of these flips that is not allowed, or goes beyond the limit of a node; null if all is well. */
  firstViolation({ sources, targets }: Flips): string | null {
    const counts = new Map<number, number>();
    for (let k = 0; k < sources.length; k++) {
      const i = sources[k];
      const j = targets[k];
      if (!this.allows(i, j)) return `pair (${i}, ${j}) may not be flipped`;
      for (const node of [i, j]) {
        const count = (counts.get(node) ?? 0) + 1;
        counts.set(node, count);
        if (count > this.limitOf(node)) return `node ${node} has more flips than its limit of ${this.limitOf(node)}`;
      }
    }
    return null;
  }
}

function limitsOf({ numNodes, adjacency, directed }: Graph, perNode: number | Int32Array): Int32Array {
  if (typeof perNode !== "number") {
    check(
      perNode.length === numNodes,
      () => `constraints: ${perNode.length} limits for ${numNodes} nodes; give one for each`,
      ShapeError,
    );
    const negative = perNode.findIndex((limit) => limit < 0);
    check(negative < 0, () => `constraints: the limit of node ${negative} must be 0 or more, got ${perNode[negative]}`);
    return perNode;
  }
  check(perNode >= 0, () => `constraints: perNode must be a share of the degree, 0 or more, got ${perNode}`);
  const degrees = rowDegrees(adjacency);
  const others = directed ? columnDegrees(adjacency) : null;
  return degrees.map((degree, node) => roundHalfToEven(perNode * (degree + (others?.[node] ?? 0))));
}

/** Bits for the sets of `between`, none for nodes that may not be touched. */
function sidesOf(numNodes: number, rules: ConstraintRules, limits: Int32Array | null): Uint8Array {
  const { between, protectedNodes = [] } = rules;
  const sides = new Uint8Array(numNodes).fill(between ? 0 : FIRST | SECOND);
  const mark = (nodes: ArrayLike<number>, change: (side: number) => number) => {
    for (let k = 0; k < nodes.length; k++) {
      const node = nodes[k];
      check(node >= 0 && node < numNodes, () => `constraints: node ${node} must be in 0 … ${numNodes - 1}`);
      sides[node] = change(sides[node]);
    }
  };
  if (between) mark(between[0], (side) => side | FIRST);
  if (between) mark(between[1], (side) => side | SECOND);
  mark(protectedNodes, () => 0);
  limits?.forEach((limit, node) => {
    if (limit === 0) sides[node] = 0;
  });
  return sides;
}

/** Pairs as a matrix. On an undirected graph they may be named in either order, and twice. */
function matrixOf({ numNodes, directed }: Graph, { sources, targets }: Flips): Csr {
  for (const ends of [sources, targets]) {
    const wrong = ends.find((node) => node < 0 || node >= numNodes);
    check(wrong === undefined, () => `constraints: node ${wrong} of a protected edge must be in 0 … ${numNodes - 1}`);
  }
  const matrix = csrFromEntries(numNodes, numNodes, sources, targets);
  return directed ? matrix : symmetrise(matrix);
}
