import type { Row, Sql } from "./database.ts";
import type { RunState } from "./store.ts";

/**
 * How many runs are in each state, kept up to date in the transaction that changes a run: counting a million of them takes longer
 * than anybody likes to wait for a line of progress.
 */
export async function readStateCounts(sql: Sql): Promise<Record<RunState, number>> {
  const counts = noRuns();
  for (const { state, runs } of await sql.rows("SELECT state, runs FROM state_counts"))
    counts[state as RunState] = Number(runs);
  return counts;
}

/** Notes that runs, which have a column `state` with their new one, come from another state; null: that they are new. */
export async function noteStates(sql: Sql, from: RunState | null, runs: readonly Row[]): Promise<void> {
  if (runs.length === 0) return;
  const changes = noRuns();
  for (const { state } of runs) changes[state as RunState]++;
  if (from !== null) changes[from] -= runs.length;
  for (const [state, change] of Object.entries(changes)) {
    if (change === 0) continue;
    await sql.rows("UPDATE state_counts SET runs = runs + $1 WHERE state = $2", [change, state]);
  }
}

/** Notes that runs, with the states that they had, are gone. */
export async function noteRemoved(sql: Sql, runs: readonly Row[]): Promise<void> {
  for (const { state } of runs) await sql.rows("UPDATE state_counts SET runs = runs - 1 WHERE state = $1", [state]);
}

export function noRuns(): Record<RunState, number> {
  return { waiting: 0, running: 0, done: 0, failed: 0 };
}
