import { sumUp } from "./add-runs.ts";
import { NEXT_CHANGE, noteChange, noteIfAny } from "./changes.ts";
import type { Database, Row, Sql, SqlValue } from "./database.ts";
import { rowsWith } from "./many-rows.ts";
import { inStudy } from "./run-filter.ts";
import { PLANNED_COLUMNS, plannedRun } from "./run-rows.ts";
import { noteStates } from "./state-counts.ts";
import type { RunOutcome, TakenRun, TakeOptions } from "./store.ts";

/** A run that has failed or killed its process this often is not tried again. */
export const MOST_ATTEMPTS = 3;

/** Leases the next work. */
export function takeWork(database: Database, options: TakeOptions): Promise<readonly TakenRun[] | null> {
  let isAskedAgain = false;
  return database.transaction(async (sql) => {
    const lost = isAskedAgain ? await runsOf(sql, options.owner) : []; // leased, but the answer was lost
    isAskedAgain = true;
    await giveUp(sql, `lease_until < ${database.now}`);
    const taken = lost.length > 0 ? lost : await leaseNext(database, sql, options);
    if (taken.length === 0) return null;
    const rows = await rowsWith(
      sql,
      `SELECT r.attempts, ${PLANNED_COLUMNS} FROM runs r WHERE r.number IN ($…) ORDER BY r.number`,
      taken.map(({ number }) => number),
    );
    return rows.map((row) => ({ ...plannedRun(row), attempts: Number(row["attempts"]) }));
  });
}

function runsOf(sql: Sql, owner: string): Promise<Row[]> {
  return sql.rows("SELECT number FROM runs WHERE state = 'running' AND owner = $1", [owner]);
}

/** Leases the runs of the next work to the owner, except those of the work that others have taken. */
async function leaseNext(database: Database, sql: Sql, options: TakeOptions): Promise<Row[]> {
  const work = await nextWork(sql, options);
  if (work === null) return [];
  const { owner, leaseMs } = options;
  const parameters = [owner, leaseMs, work];
  const leased = await sql.rows(
    `UPDATE runs AS r SET state = 'running', attempts = attempts + 1, owner = $1, lease_until = ${database.now} + $2,
       changed = ${NEXT_CHANGE}
     WHERE r.work = $3 AND ${mayTake(options, parameters)} RETURNING number, state`,
    parameters,
  );
  await noteStates(sql, "waiting", leased);
  await noteIfAny(sql, leased);
  return leased;
}

/**
 * The first waiting work, in the order of the plan: of a batch that no process is working on, otherwise of any. A batch
 * shares a trained model, which another process would have to train as well.
 */
async function nextWork(sql: Sql, options: TakeOptions): Promise<SqlValue> {
  const parameters: SqlValue[] = [];
  const first = `SELECT r.work FROM runs r WHERE ${mayTake(options, parameters)}`;
  const running = (column: string) => `(SELECT ${column} FROM runs WHERE state = 'running')`;
  const [unattended] = await sql.rows(
    `${first} AND r.batch NOT IN ${running("batch")} ORDER BY r.number LIMIT 1`,
    parameters,
  );
  const [any] = unattended ? [unattended] : await sql.rows(`${first} ORDER BY r.number LIMIT 1`, parameters);
  return any?.["work"] ?? null;
}

/** The condition that `runs r` waits and matches the options; appends its values to `parameters`. */
function mayTake({ study, devices, code }: TakeOptions, parameters: SqlValue[]): string {
  const oneOf = (values: readonly string[]) => values.map((value) => `$${parameters.push(value)}`).join();
  const ofCell = [
    ...(devices ? [`c.device IN (${oneOf(devices)})`] : []),
    ...(code ? [`c.code IN (${oneOf(code)})`] : []),
  ];
  return [
    "r.state = 'waiting'",
    ...(ofCell.length > 0
      ? [`EXISTS (SELECT 1 FROM cells c WHERE c.number = r.cell AND ${ofCell.join(" AND ")})`]
      : []),
    ...(study === undefined ? [] : [inStudy(`$${parameters.push(study)}`)]),
  ].join(" AND ");
}

/** Stores the result of a run that still belongs to `owner`; false if it does not. */
export function finishRun(database: Database, id: string, owner: string, outcome: RunOutcome): Promise<boolean> {
  const { value, clean, seconds, peakBytes, result } = outcome;
  return database.transaction(async (sql) => {
    const [run] = await sql.rows(
      `UPDATE runs SET state = 'done', owner = NULL, lease_until = NULL, error = NULL, finished_at = ${database.now},
         value = $1, clean = $2, seconds = $3, peak_bytes = $4, changed = ${NEXT_CHANGE}
       WHERE id = $5 AND owner = $6 AND state = 'running' RETURNING number, cell, state`,
      [value, clean, seconds, peakBytes, id, owner],
    );
    if (!run) return false;
    await sql.rows("UPDATE details SET result = $1 WHERE run = $2", [JSON.stringify(result), run["number"]]);
    await sumUp(sql, Number(run["cell"]));
    await noteStates(sql, "running", [run]);
    await noteChange(sql);
    return true;
  });
}

/** Notes why a run of an owner failed, and whether it is tried again. */
export function failRun(
  database: Database,
  id: string,
  owner: string,
  failure: { readonly error: string; readonly retry: boolean },
): Promise<void> {
  return database.transaction(async (sql) => {
    const failed = await sql.rows(
      `UPDATE runs SET state = ${failure.retry ? waitingAgain : "'failed'"}, owner = NULL, lease_until = NULL, error = $1,
         finished_at = ${database.now}, changed = ${NEXT_CHANGE}
       WHERE id = $2 AND owner = $3 AND state = 'running' RETURNING state`,
      [failure.error, id, owner],
    );
    await noteStates(sql, "running", failed);
    await noteIfAny(sql, failed);
  });
}

/** Lets running runs that meet the condition wait again, or fail after too many attempts: their process is gone. */
export async function giveUp(sql: Sql, condition: string, parameters: readonly SqlValue[] = []): Promise<void> {
  const given = await sql.rows(
    `UPDATE runs SET state = ${waitingAgain}, owner = NULL, lease_until = NULL, changed = ${NEXT_CHANGE},
       error = 'the process that ran it ended without a word' WHERE state = 'running' AND ${condition} RETURNING state`,
    parameters,
  );
  await noteStates(sql, "running", given);
  await noteIfAny(sql, given);
}

/** Lets the runs of an owner that stops in an orderly way wait again, as if it had not taken them. */
export function handBack(database: Database, owner: string): Promise<void> {
  return database.transaction(async (sql) => {
    const given = await sql.rows(
      `UPDATE runs SET state = 'waiting', owner = NULL, lease_until = NULL, changed = ${NEXT_CHANGE},
         attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END
       WHERE state = 'running' AND owner = $1 RETURNING state`,
      [owner],
    );
    await noteStates(sql, "running", given);
    await noteIfAny(sql, given);
  });
}

const waitingAgain = `CASE WHEN attempts < ${MOST_ATTEMPTS} THEN 'waiting' ELSE 'failed' END`;
