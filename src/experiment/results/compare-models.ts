import { holm } from "../statistics/holm.ts";
import { paired } from "../statistics/welch.ts";
import {
  CELL_COLUMNS,
  type CellColumn,
  type CellValues,
  type RunFilter,
  type RunRow,
  type RunStore,
} from "../store/store.ts";
import { allRuns, keyOf } from "./group-results.ts";

/**
 * Two models under the same attack, with flips from the same `surrogate`; if that is "", each with flips found on
 * itself.
 */
export interface ModelComparison extends Omit<CellValues, "model" | "hyperparameters"> {
  /** Seeds with which both were measured: on the same split, so that they are compared in pairs. */
  readonly seeds: number;
  readonly first: number;
  readonly second: number;
  /** First minus second. */
  readonly difference: number;
  readonly interval: readonly [number, number] | null;
  /** Corrected for the number of comparisons; null with a single seed. */
  readonly correctedP: number | null;
  /** The model with the better value (more accuracy, or a lower success rate); null if the difference may be chance. */
  readonly moreRobust: string | null;
}

const LEVEL = 0.05;

/** Columns that must be equal for two runs to differ by the model alone; the surrogate is compared separately. */
const SAME = CELL_COLUMNS.filter(
  (column) => !(["model", "hyperparameters", "surrogate"] as CellColumn[]).includes(column),
);

/** Which of two models is more robust, for each attack and budget, and how sure that is. */
export async function compareModels(
  store: RunStore,
  filter: RunFilter,
  [first, second]: readonly [string, string],
): Promise<ModelComparison[]> {
  const rows = await allRuns(store, { ...filter, model: [first, second], state: ["done"] });
  const groups = new Map<string, RunRow[]>();
  for (const row of rows) {
    const key = keyOf(row, SAME);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const pairs = [...groups.values()].flatMap((group) =>
    surrogatesOf(group).flatMap((surrogate) => pairsOf(withFlipsFrom(surrogate, group), surrogate, [first, second])),
  );
  const corrected = holm(pairs.map(({ test }) => test.pValue));
  return pairs.map(({ row, surrogate, a, b, test }, k) => {
    const { difference, interval } = test;
    const isSure = corrected[k] !== null && corrected[k] < LEVEL;
    return {
      ...valuesOf(row),
      surrogate,
      seeds: a.length,
      first: mean(a),
      second: mean(b),
      difference,
      interval,
      correctedP: corrected[k],
      moreRobust: isSure ? (difference > 0 === isBetterHigh(row.quantity) ? first : second) : null,
    };
  });
}

function surrogatesOf(group: readonly RunRow[]): string[] {
  return [...new Set(group.map(({ surrogate }) => surrogate))].sort();
}

/** Runs with flips from one model, including its own runs with flips found on itself. */
function withFlipsFrom(surrogate: string, group: readonly RunRow[]): RunRow[] {
  return group.filter((row) => row.surrogate === (row.model === surrogate ? "" : surrogate));
}

/**
 * Values of both models for their common seeds; empty if there are none. Runs with different hyperparameters are
 * averaged.
 */
function pairsOf(group: readonly RunRow[], surrogate: string, [first, second]: readonly [string, string]) {
  const ofModel = (model: string, seed: number) =>
    group.filter((row) => row.model === model && row.seed === seed).map(({ value }) => value!);
  const seeds = [...new Set(group.map(({ seed }) => seed))].sort((x, y) => x - y);
  const shared = seeds.filter((seed) => ofModel(first, seed).length > 0 && ofModel(second, seed).length > 0);
  if (shared.length === 0) return [];
  const a = shared.map((seed) => mean(ofModel(first, seed)));
  const b = shared.map((seed) => mean(ofModel(second, seed)));
  return [{ row: group[0], surrogate, a, b, test: paired(a, b) }];
}

/** The columns in which both runs are equal. */
function valuesOf(row: RunRow) {
  return Object.fromEntries(SAME.map((column) => [column, row[column]])) as Pick<CellValues, (typeof SAME)[number]>;
}

/** Whether larger means more robust; success rates and shifts should be small. */
function isBetterHigh(quantity: string): boolean {
  return quantity !== "success-rate" && quantity !== "hidden-shift";
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
