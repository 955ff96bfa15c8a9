import { cellValues } from "../store/run-rows.ts";
import type { CellColumn, PlannedRun, RunStore } from "../store/store.ts";

/** Mean time and memory of earlier runs like a planned one. */
export interface Estimate {
  readonly seconds: number;
  readonly peakBytes: number;
}

/**
 * Columns in which runs must agree for an estimate, the most specific first. They always include the surrogate: its
 * flips are found once for many models, so the other runs take no time.
 */
const LIKENESS: readonly (readonly CellColumn[])[] = [
  ["dataset", "model", "attack", "options", "time", "device", "budget", "surrogate"],
  ["dataset", "model", "attack", "time", "device", "surrogate"],
  ["dataset", "attack", "device", "surrogate"],
];

/** Estimates for each run, from earlier runs in the store; null if there was none like it. */
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
