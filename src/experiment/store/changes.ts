import type { Row, Sql } from "./database.ts";
import { rowsWith } from "./many-rows.ts";
import { LISTED_COLUMNS, listedRun, RUNS_AND_CELLS } from "./run-rows.ts";
import type { Changes } from "./store.ts";

/**
 * SQL for the number of the next change. A transaction that changes runs or studies marks them with this number and
 * counts it in the table `changes`. A process that remembers a number can thus find all that is newer, and reads a
 * single number to learn that nothing is.
 */
export const NEXT_CHANGE = "(SELECT number + 1 FROM changes)";

/** Counts a change; returns its number. */
export async function noteChange(sql: Sql): Promise<number> {
  const [{ number }] = await sql.rows("UPDATE changes SET number = number + 1 RETURNING number");
  return Number(number);
}

/** Counts a change if any rows were changed. */
export async function noteIfAny(sql: Sql, rows: readonly Row[]): Promise<void> {
  if (rows.length > 0) await noteChange(sql);
}

/** Notes that a study has changed apart from its runs. */
export async function noteStudyChange(sql: Sql, study: string, now: string): Promise<void> {
  await sql.rows(`UPDATE studies SET changed = ${NEXT_CHANGE}, changed_at = ${now} WHERE name = $1`, [study]);
  await noteChange(sql);
}

export async function lastChange(sql: Sql): Promise<number> {
  const [{ number }] = await sql.rows("SELECT number FROM changes");
  return Number(number);
}

/**
 * What is newer than a change. The number is read first, so that changes made meanwhile are reported twice rather than
 * never.
 */
export async function changesSince(sql: Sql, since: number, limit: number): Promise<Changes> {
  const number = await lastChange(sql);
  if (number === since) return { number, runs: [], studies: [], isMore: false };
  const changed = await sql.rows(
    `SELECT number FROM runs WHERE changed > $1 AND changed > 0 ORDER BY changed, number LIMIT ${limit + 1}`,
    [since],
  );
  const listed = changed.slice(0, limit).map((row) => row["number"]);
  const runs = await rowsWith(
    sql,
    `SELECT ${LISTED_COLUMNS} ${RUNS_AND_CELLS} AND r.number IN ($…) ORDER BY r.changed, r.number`,
    listed,
  );
  const isMore = changed.length > limit;
  return {
    number,
    runs: runs.map(listedRun),
    studies: await changedStudies(sql, since, isMore ? null : listed),
    isMore,
  };
}

/** Studies that have changed themselves or have one of these runs; all studies if `runs` is null. */
async function changedStudies(sql: Sql, since: number, runs: readonly Row[string][] | null): Promise<string[]> {
  if (runs === null) return namesOf(await sql.rows("SELECT name FROM studies"));
  const own = await sql.rows("SELECT name FROM studies WHERE changed > $1", [since]);
  const byRuns = await rowsWith(
    sql,
    `SELECT DISTINCT s.name FROM studies s CROSS JOIN runs r JOIN study_runs l ON l.study = s.number AND l.run = r.number
     WHERE r.number IN ($…)`,
    runs,
  );
  return namesOf([...own, ...byRuns]);
}

function namesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(({ name }) => String(name)))];
}
