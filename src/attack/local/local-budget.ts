import { BudgetError, check } from "../../core/errors.ts";
import { roundHalfToEven } from "../budget.ts";
import type { LocalBudget } from "./local-task.ts";

/** Throws unless the budget is a valid share of the degree or number of flips. */
export function checkLocalBudget(budget: LocalBudget): void {
  if ("share" in budget) {
    const { share } = budget;
    check(
      share >= 0 && Number.isFinite(share),
      () => `share of the degree must be from 0 on, got ${share}; half of the edges of a node is 0.5`,
      BudgetError,
    );
    return;
  }
  const { flips } = budget;
  check(
    Number.isInteger(flips) && flips >= 0,
    () => `budget must be a whole number of flips from 0 on, got ${flips}`,
    BudgetError,
  );
}

/** Most flips at a node of this degree; never more than there are other nodes. */
export function flipsAllowed(budget: LocalBudget, degree: number, numNodes: number): number {
  const flips = "share" in budget ? roundHalfToEven(budget.share * degree) : budget.flips;
  return Math.min(flips, numNodes - 1);
}
