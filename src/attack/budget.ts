import { BudgetError, check } from "../core/errors.ts";
import type { Graph } from "../graph/graph.ts";

/**
 * Number of flips that a share `epsilon` of the edges allows: half-way cases go to the even number.
 *
 * @example
 * const budget = edgeBudget(graph, 0.05); // one edge in twenty
 */
export function edgeBudget(graph: Graph, epsilon: number): number {
  check(
    epsilon >= 0 && epsilon <= 1,
    () => `edgeBudget: epsilon must be in [0, 1], got ${epsilon}; 5% of the edges is 0.05`,
    BudgetError,
  );
  return roundHalfToEven(epsilon * graph.numEdges);
}

/** Throws unless `budget` is a number of flips that the graph has room for. */
export function checkBudget(graph: Pick<Graph, "numNodes" | "directed">, budget: number): void {
  const pairs = numPairs(graph);
  check(
    Number.isInteger(budget) && budget >= 0 && budget <= pairs,
    () => `budget must be a whole number of flips in 0 … ${pairs}, got ${budget}`,
    BudgetError,
  );
}

/** Pairs of distinct nodes that could be flipped, as a double: exact below 2^53, which is enough for a comparison. */
export function numPairs({ numNodes, directed }: Pick<Graph, "numNodes" | "directed">): number {
  const ordered = numNodes * (numNodes - 1);
  return directed ? ordered : ordered / 2;
}

export function roundHalfToEven(x: number): number {
  const below = Math.floor(x);
  if (x - below !== 0.5) return Math.round(x);
  return below % 2 === 0 ? below : below + 1;
}
