import { formatCount } from "../experiment/readable-numbers.ts";
import type { Comparison } from "./results/findings.ts";
import type { MeanInterval } from "./results/mean-interval.ts";
import type { MeasuredRun } from "./results/measured-run.ts";
import type { BudgetUnit } from "./results/study-results.ts";

/** 0.6123 as 61.2%. */
export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)}%`;
}

/** 0.6123 ± 0.0041 as 61.2 ± 0.4, for tables of percentages. */
export function percentCell({ mean, standardError }: Pick<MeanInterval, "mean" | "standardError">): string {
  const error = standardError === null ? "" : ` ± ${(100 * standardError).toFixed(1)}`;
  return `${(100 * mean).toFixed(1)}${error}`;
}

/** A difference of accuracies: 3.1 percentage points. */
export function points(difference: number): string {
  return `${(100 * Math.abs(difference)).toFixed(1)} percentage points`;
}

/** A budget in the unit of the report. */
export function budgetText(budget: number, unit: BudgetUnit): string {
  return unit === "share" ? `${Number((100 * budget).toFixed(2))}% of the edges` : `${formatCount(budget)} flips`;
}

/** A budget for a cell of a table. */
export function budgetCell(budget: number, unit: BudgetUnit): string {
  return unit === "share" ? `${Number((100 * budget).toFixed(2))}%` : formatCount(budget);
}

/** `1 run`, `2 runs`. */
export function counted(value: number, noun: string): string {
  return `${formatCount(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** Significance level: differences with a corrected p-value below this count as unlikely to be chance. */
export const LEVEL = 0.05;

export function certainty({ interval, correctedP, pairs }: Comparison): string {
  if (interval === null || correctedP === null) return "one pair of runs, which says nothing about chance";
  const [low, high] = interval.map((end) => (100 * end).toFixed(1).replace("-", "−"));
  const sure = correctedP < LEVEL ? "unlikely to be chance" : "may be chance";
  return `95% interval ${low} to ${high}, corrected p ${pText(correctedP)}, ${counted(pairs, "pair")} of runs: ${sure}`;
}

/** 0.0312 as `= 0.031`; very small p-values as `< 0.001`. */
export function pText(p: number): string {
  return p < 0.001 ? "< 0.001" : `= ${p.toFixed(3)}`;
}

/** Seconds with a suitable number of digits. */
export function seconds(value: number): string {
  if (value >= 100) return `${formatCount(Math.round(value))} s`;
  return value < 0.05 ? "< 0.1 s" : `${value.toFixed(1)} s`;
}

/** The budget of an attack as the study gives it; for an attack on single nodes, the budget of each node. */
export function nodeBudget({ description }: Pick<MeasuredRun, "description">): string {
  const { attack, quantity } = description.cell;
  if (!attack) return "";
  const of = quantity === "success-rate" ? "the degree" : "the edges";
  return attack.epsilon === null
    ? counted(attack.budget, "flip")
    : `${Number((100 * attack.epsilon).toFixed(2))}% of ${of}`;
}
