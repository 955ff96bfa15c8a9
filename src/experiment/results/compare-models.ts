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

/** Two models under the same attack. */
export interface ModelComparison
  extends Pick<CellValues, "dataset" | "attack" | "loss" | "epsilon" | "budget" | "time"> {
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

/** What must be the same for two runs to differ by the model alone. Flips may be found on another model for each. */
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
  const pairs = [...groups.values()].flatMap((group) => pairsOf(group, first, second));
  const corrected = holm(pairs.map(({ test }) => test.pValue));
  return pairs.map(({ row, a, b, test }, k) => {
    const { dataset, attack, loss, epsilon, budget, time, quantity } = row;
    const { difference, interval } = test;
    const isSure = corrected[k] !== null && corrected[k] < LEVEL;
    return {
      ...{ dataset, attack, loss, epsilon, budget, time },
      seeds: a.length,
      first: mean(a),
      second: mean(b),
      difference,
      interval,
      correctedP: corrected[k],
      moreRobust: isSure ? (difference > 0 === isBetterHigh(quantity) ? first : second) : null,
    };
  });
}

/** The values of seeds that both models have; nothing if there are none. Grids of hyperparameters are averaged over. */
function pairsOf(group: readonly RunRow[], first: string, second: string) {
  const ofModel = (model: string, seed: number) =>
    group.filter((row) => row.model === model && row.seed === seed).map(({ value }) => value!);
  const seeds = [...new Set(group.map(({ seed }) => seed))].sort((x, y) => x - y);
  const shared = seeds.filter((seed) => ofModel(first, seed).length > 0 && ofModel(second, seed).length > 0);
  if (shared.length === 0) return [];
  const a = shared.map((seed) => mean(ofModel(first, seed)));
  const b = shared.map((seed) => mean(ofModel(second, seed)));
  return [{ row: group[0], a, b, test: paired(a, b) }];
}

/** Whether a robust model has a large value: success rates and shifts are small. */
function isBetterHigh(quantity: string): boolean {
  return quantity !== "success-rate" && quantity !== "hidden-shift";
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
