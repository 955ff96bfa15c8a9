import type { Row, Sql } from "./database.ts";
import type { RunState } from "./store.ts";

/**
 * How many runs are in each state. The counts are updated in the transaction that changes a run, because counting a
 * million runs takes too long for a line of progress.
 */
export async function readStateCounts(sql: Sql): Promise<Record<RunState, number>> {
  const counts = noRuns();
  for (const { state, runs } of await sql.rows("SELECT state, runs FROM state_counts"))
    counts[state as RunState] = Number(runs);
  return counts;
}

/** Notes that runs have changed from the state `from`, or are new if it is null; each row has the new `state`. */
export async function noteStates(sql: Sql, from: RunState | null, runs: readonly Row[]): Promise<void> {
  const changes = countedStates(runs);
  if (from !== null) changes[from] -= runs.length;
  await addToCounts(sql, changes, 1);
}

/** Notes that runs were removed; each row has the `state` that the run had. */
export async function noteRemoved(sql: Sql, runs: readonly Row[]): Promise<void> {
  await addToCounts(sql, countedStates(runs), -1);
}

function countedStates(runs: readonly Row[]): Record<RunState, number> {
  const counts = noRuns();
  for (const { state } of runs) counts[state as RunState]++;
  return counts;
}

async function addToCounts(sql: Sql, changes: Readonly<Record<RunState, number>>, sign: 1 | -1): Promise<void> {
  const changed = Object.entries(changes).filter(([, change]) => change !== 0);
  if (changed.length === 0) return;
  const cases = changed.map((_, k) => `WHEN $${2 * k + 1} THEN CAST($${2 * k + 2} AS INTEGER)`);
  const states = changed.map((_, k) => `$${2 * k + 1}`);
  await sql.rows(
    `UPDATE state_counts SET runs = runs + CASE state ${cases.join(" ")} END WHERE state IN (${states.join()})`,
    changed.flatMap(([state, change]) => [state, sign * change]),
  );
}

export function noRuns(): Record<RunState, number> {
  return { waiting: 0, running: 0, done: 0, failed: 0 };
}
