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

/** Two models under the same attack, with flips from the same `surrogate` or, where that is "", each with those found on itself. */
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
  /** Which of them keeps more accuracy, or of whose nodes fewer are lost; null if that may be chance. */
  readonly moreRobust: string | null;
}

const LEVEL = 0.05;

/** What must be the same for two runs to differ by the model alone, besides where the flips were found. */
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

/** Runs with flips from one model: its own runs have those found on itself. */
function withFlipsFrom(surrogate: string, group: readonly RunRow[]): RunRow[] {
  return group.filter((row) => row.surrogate === (row.model === surrogate ? "" : surrogate));
}

/** The values of seeds that both models have; nothing if there are none. Grids of hyperparameters are averaged over. */
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

/** What both runs have in common. */
function valuesOf(row: RunRow) {
  return Object.fromEntries(SAME.map((column) => [column, row[column]])) as Pick<CellValues, (typeof SAME)[number]>;
}

/** Whether a robust model has a large value: success rates and shifts are small. */
function isBetterHigh(quantity: string): boolean {
  return quantity !== "success-rate" && quantity !== "hidden-shift";
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
