import type { PlannedGraph } from "./planned-graph.ts";
import type { BudgetDescription } from "./run-description.ts";
import type { BudgetWish, StudyPart } from "./study.ts";

/** A budget as runs describe it. */
export function describeBudget(wish: BudgetWish, flips: number): BudgetDescription {
  return { epsilon: "epsilon" in wish ? wish.epsilon : null, budget: flips };
}

/**
 * All budgets of a part up to `last`, ascending: those that a chain goes through, or for which nodes are drawn. Without
 * a graph they are budgets of single nodes, whose shares are of the degree.
 */
export function budgetsThrough(
  { budgets = [], passes = [] }: StudyPart,
  last: BudgetWish,
  graph: PlannedGraph | null,
): BudgetDescription[] {
  const describe = (wish: BudgetWish) =>
    describeBudget(wish, graph?.flipsOf(wish) ?? ("budget" in wish ? wish.budget : 0));
  const own = describe(last);
  const smaller = [...budgets, ...passes].map(describe).filter((other) => compare(other, own) < 0);
  const distinct = new Map(smaller.map((budget) => [JSON.stringify(budget), budget]));
  return [...[...distinct.values()].sort(compare), own];
}

/** By number of flips; if that is unknown, by the share that was asked for. */
function compare(a: BudgetDescription, b: BudgetDescription): number {
  return a.budget - b.budget || (a.epsilon ?? 0) - (b.epsilon ?? 0);
}
