import type { Json } from "../../core/options/index.ts";
import { canonicalJson } from "../study/canonical-json.ts";
import { type CellDescription, cellId } from "../study/run-description.ts";
import { noteChange } from "./changes.ts";
import type { Sql } from "./database.ts";
import { insertNew, nextNumber, numbersOf, rowsWith } from "./many-rows.ts";
import { cellValues } from "./run-rows.ts";
import { noteStates } from "./state-counts.ts";
import type { FinishedRun, MergeReport, PlannedRun, RunState } from "./store.ts";
import { insertStudy } from "./study-records.ts";

/** Adds waiting runs and links them to a study. Results are added by {@link addFinished}, which also updates sums. */
export async function addToStudy(sql: Sql, study: string, runs: readonly PlannedRun[]): Promise<void> {
  const planned = runs.map(({ id, description, work, batch }) => ({ id, description, work, batch }));
  const numbers = await insertRuns(sql, planned, 0);
  await insertStudy(sql, study);
  const [{ number }] = await sql.rows("SELECT number FROM studies WHERE name = $1", [study]);
  const links = runs.map(({ id }) => ({ study: number, run: numbers.get(id)! }));
  await insertNew(sql, "study_runs", "study, run", links);
}

/** Adds runs that were measured elsewhere. */
export async function addFinished(sql: Sql, runs: readonly FinishedRun[]): Promise<MergeReport> {
  const before = await numbersOf(
    sql,
    "runs",
    runs.map(({ id }) => id),
  );
  const known = runs.filter(({ id }) => before.has(id));
  const change = await noteChange(sql);
  const numbers = await insertRuns(sql, runs, change);
  const states = await rowsWith(sql, "SELECT id, state, value FROM runs WHERE number IN ($…)", [...before.values()]);
  const here = new Map(states.map((row) => [row["id"], row]));
  const isDone = ({ id }: FinishedRun) => here.get(id)?.["state"] === "done";
  const waited = known.filter((run) => !isDone(run));
  for (const run of waited) {
    await setFinished(sql, numbers.get(run.id)!, run, change);
    await noteStates(sql, here.get(run.id)!["state"] as RunState, [{ state: "done" }]);
  }
  const changed = runs.filter((run) => !isDone(run)).map(({ id }) => numbers.get(id)!);
  const cells = await rowsWith(sql, "SELECT DISTINCT cell FROM runs WHERE number IN ($…)", changed);
  for (const { cell } of cells) await sumUp(sql, Number(cell));
  const differing = known.filter((run) => isDone(run) && here.get(run.id)?.["value"] !== run.outcome.value);
  return { added: changed.length, differing: differing.map(({ id }) => id) };
}

/** Marks a run as done that was planned here too. */
async function setFinished(
  sql: Sql,
  number: number,
  { outcome, finishedAt }: FinishedRun,
  change: number,
): Promise<void> {
  const { value, clean, seconds, peakBytes, result } = outcome;
  await sql.rows(
    `UPDATE runs SET state = 'done', owner = NULL, lease_until = NULL, error = NULL,
       value = $1, clean = $2, seconds = $3, peak_bytes = $4, finished_at = $5, changed = $6 WHERE number = $7`,
    [value, clean, seconds, peakBytes, finishedAt, change, number],
  );
  await sql.rows("UPDATE details SET result = $1 WHERE run = $2", [JSON.stringify(result), number]);
}

/**
 * Recomputes the sums of a cell over its runs, in the order of their seeds. Adding to the sums instead would make them
 * depend on the order in which runs finished.
 */
export async function sumUp(sql: Sql, cell: number): Promise<void> {
  await sql.rows(
    `UPDATE cells SET (done, value_sum, value_squares, clean_sum, clean_squares, seconds_sum, peak_bytes) =
       (SELECT COUNT(*), SUM(value), SUM(value * value), SUM(clean), SUM(clean * clean), SUM(seconds), MAX(peak_bytes)
        FROM (SELECT * FROM runs WHERE cell = $1 AND state = 'done' ORDER BY seed) AS done_runs)
     WHERE number = $1`,
    [cell],
  );
}

/** Adds those runs that are new (waiting or done) with the number of this change; returns the numbers of all. */
async function insertRuns(
  sql: Sql,
  runs: readonly (PlannedRun | FinishedRun)[],
  changed: number,
): Promise<Map<string, number>> {
  const cellOf = await insertCells(
    sql,
    runs.map(({ description }) => description.cell),
  );
  const first = await nextNumber(sql, "runs");
  const rows = runs.map((run, k) => {
    const { id, description, work, batch } = run;
    const cell = cellOf.get(description.cell)!;
    return { number: first + k, id, cell, seed: description.seed, work, batch, changed, ...outcomeColumns(run) };
  });
  const stateOf = new Map(rows.map(({ id, state }) => [id, state]));
  const added = await insertNew(sql, "runs", "id", rows);
  await noteStates(
    sql,
    null,
    added.map(({ id }) => ({ state: stateOf.get(String(id)) ?? null })),
  );
  const numbers = await numbersOf(
    sql,
    "runs",
    runs.map(({ id }) => id),
  );
  const details = runs.map((run) => ({
    run: numbers.get(run.id)!,
    split_hash: run.description.splitHash,
    result: "outcome" in run ? JSON.stringify(run.outcome.result) : null,
  }));
  await insertNew(sql, "details", "run", details);
  return numbers;
}

/** Columns of the outcome, the same for waiting and finished runs. */
function outcomeColumns(run: PlannedRun | FinishedRun) {
  if (!("outcome" in run)) {
    return { state: "waiting", value: null, clean: null, seconds: null, peak_bytes: null, finished_at: null };
  }
  const { value, clean, seconds, peakBytes } = run.outcome;
  return { state: "done", value, clean, seconds, peak_bytes: peakBytes, finished_at: run.finishedAt };
}

/** Adds cells that are new; returns the numbers of all. Runs of a plan share the objects of their cells, so each is hashed once. */
async function insertCells(sql: Sql, all: readonly CellDescription[]): Promise<Map<CellDescription, number>> {
  const ids = new Map([...new Set(all)].map((cell) => [cell, cellId(cell)]));
  const first = await nextNumber(sql, "cells");
  const rows = [...ids].map(([cell, id], k) => ({ number: first + k, id, ...cellValues(cell) }));
  await insertNew(sql, "cells", "id", rows);
  const numbers = await numbersOf(sql, "cells", [...ids.values()]);
  const details = [...ids].map(([cell, id]) => ({
    cell: numbers.get(id)!,
    description: canonicalJson(cell as unknown as Json),
  }));
  await insertNew(sql, "cell_details", "cell", details);
  return new Map([...ids].map(([cell, id]) => [cell, numbers.get(id)!]));
}
