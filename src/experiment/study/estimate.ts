import { cellValues } from "../store/run-rows.ts";
import type { CellColumn, PlannedRun, RunStore } from "../store/store.ts";

/** What runs like one that is planned took before. */
export interface Estimate {
  readonly seconds: number;
  readonly peakBytes: number;
}

/**
 * What runs must have in common to tell something about each other, the most telling first. Always whether flips were found on another model:
 * a search that many models share is done once, and the other runs take no time.
 */
const LIKENESS: readonly (readonly CellColumn[])[] = [
  ["dataset", "model", "attack", "options", "time", "device", "budget", "surrogate"],
  ["dataset", "model", "attack", "time", "device", "surrogate"],
  ["dataset", "attack", "device", "surrogate"],
];

/** Estimates by cell, from earlier runs in the store; null where there was nothing like it. */
export async function estimateRuns(store: RunStore, runs: readonly PlannedRun[]): Promise<(Estimate | null)[]> {
  const tables: Map<string, Estimate>[] = [];
  for (const columns of LIKENESS) tables.push(await earlierRuns(store, columns));
  const known = new Map<object, Estimate | null>();
  return runs.map(({ description: { cell } }) => {
    if (!known.has(cell)) {
      const values = cellValues(cell);
      const found = LIKENESS.map((columns, k) => tables[k].get(keyOf(values, columns)));
      known.set(cell, found.find((estimate) => estimate !== undefined) ?? null);
    }
    return known.get(cell)!;
  });
}

async function earlierRuns(store: RunStore, columns: readonly CellColumn[]): Promise<Map<string, Estimate>> {
  const groups = await store.aggregate({}, columns, 1_000_000);
  return new Map(
    groups.map(({ group, secondsMean, peakBytes }) => [keyOf(group, columns), { seconds: secondsMean, peakBytes }]),
  );
}

function keyOf(values: Readonly<Record<string, unknown>>, columns: readonly CellColumn[]): string {
  return JSON.stringify(columns.map((column) => values[column]));
}
