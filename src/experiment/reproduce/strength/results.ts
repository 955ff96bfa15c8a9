import type { MeasuredRun } from "../results.ts";
import type { StrengthCell } from "./plan.ts";

/** A cell with what was measured for it. */
export interface StrengthResult extends StrengthCell, Pick<MeasuredRun, "value" | "clean" | "seconds" | "device"> {}

/** Groups results by `name`, in the order in which names first appear. */
export function groupResults(
  results: readonly StrengthResult[],
  name: (result: StrengthResult) => string,
): StrengthResult[][] {
  const groups = new Map<string, StrengthResult[]>();
  for (const result of results) {
    const group = groups.get(name(result));
    if (group) group.push(result);
    else groups.set(name(result), [result]);
  }
  return [...groups.values()];
}

/** The mean; null if there are no values. */
export function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The lowest accuracy that any attack leaves, for each seed. */
export function strongestPerSeed(results: readonly StrengthResult[]): number[] {
  return groupResults(results, ({ seed }) => String(seed)).map((group) => Math.min(...group.map(({ value }) => value)));
}
