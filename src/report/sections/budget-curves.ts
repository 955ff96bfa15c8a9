import type { CurveRow } from "../charts/curves.ts";
import { meanOfShares } from "../results/mean-interval.ts";
import type { BudgetUnit } from "../results/study-results.ts";

/** A point of a curve: the mean of accuracies over seeds, and its interval. */
export function curvePoint(panel: string, series: string, budget: number, accuracies: readonly number[]): CurveRow {
  const { mean, interval, count } = meanOfShares(accuracies);
  return { panel, series, x: budget, mean, low: interval?.[0] ?? null, high: interval?.[1] ?? null, seeds: count };
}

/** Axes of accuracy over budgets. */
export function budgetAxes(unit: BudgetUnit) {
  const isShare = unit === "share";
  return {
    x: { title: isShare ? "flipped edges, share" : "flips", ...(isShare && { format: "~%" }) },
    y: { title: "test accuracy", format: "%", domain: [0, 1] as const },
  };
}
