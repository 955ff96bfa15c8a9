import { noteStudyChange } from "./changes.ts";
import type { Database, Sql } from "./database.ts";
import { insertNew, nextNumber, rowsWith } from "./many-rows.ts";
import { conditionOf } from "./run-filter.ts";
import { STUDY_RUNS_AND_CELLS } from "./run-rows.ts";
import { noRuns, noteRemoved } from "./state-counts.ts";
import type { RunState, StudyRecord, StudyWish, WishedStudy } from "./store.ts";

/** Adds a study if it is new. */
export async function insertStudy(sql: Sql, name: string): Promise<void> {
  await insertNew(sql, "studies", "name", [{ number: await nextNumber(sql, "studies"), name }]);
}

/** Keeps the text of a study, from which it can be started again. */
export function keepText(database: Database, name: string, text: string): Promise<void> {
  return database.transaction(async (sql) => {
    await insertStudy(sql, name);
    const [{ text: known }] = await sql.rows("SELECT text FROM studies WHERE name = $1", [name]);
    if (known === text) return;
    await sql.rows("UPDATE studies SET text = $1 WHERE name = $2", [text, name]);
    await noteStudyChange(sql, name, database.now);
  });
}

/** Notes what a study should do; false if there is no such study. */
export function noteWish(database: Database, name: string, wish: StudyWish, error: string | null): Promise<boolean> {
  return database.transaction(async (sql) => {
    const noted = await sql.rows(
      `UPDATE studies SET wish = $1, error = $2, wished_at = ${database.now} WHERE name = $3 RETURNING number`,
      [wish, error, name],
    );
    await noteStudyChange(sql, name, database.now);
    return noted.length > 0;
  });
}

/** Studies with a wish, in the order in which the wishes were noted. */
export async function wishedStudies(sql: Sql): Promise<WishedStudy[]> {
  const rows = await sql.rows("SELECT name, wish, text FROM studies WHERE wish IS NOT NULL ORDER BY wished_at, number");
  return rows as unknown as WishedStudy[];
}

/** Studies with the counts of their runs: all, or those of these names. */
export async function studyRecords(sql: Sql, names?: readonly string[]): Promise<StudyRecord[]> {
  const select = "SELECT number, name, text, wish, wished_at, error, changed_at FROM studies";
  const rows = names ? await rowsWith(sql, `${select} WHERE name IN ($…)`, names) : await sql.rows(select);
  const records: StudyRecord[] = [];
  for (const row of rows) {
    const states = await sql.rows(
      `SELECT r.state, CAST(COUNT(*) AS INTEGER) AS runs, MAX(r.finished_at) AS finished
       FROM study_runs l CROSS JOIN runs r WHERE l.study = $1 AND r.number = l.run GROUP BY r.state`,
      [row["number"]],
    );
    const counts = noRuns();
    for (const { state, runs } of states) counts[state as RunState] = Number(runs);
    const times = [row["changed_at"], ...states.map(({ finished }) => finished)].filter((time) => time !== null);
    records.push({
      name: String(row["name"]),
      counts,
      text: row["text"] as string | null,
      wish: row["wish"] as StudyWish,
      wishedAt: row["wished_at"] as number | null,
      error: row["error"] as string | null,
      changedAt: times.length > 0 ? Math.max(...times.map(Number)) : null,
    });
  }
  return records;
}

/** Removes waiting runs from a study, and from the store unless another study has them; returns how many. */
export function dropWaiting(database: Database, name: string): Promise<number> {
  return dropRuns(database, name, ["waiting"]);
}

/** The same for waiting and failed runs, except those that are planned. */
export function leaveOut(database: Database, name: string, planned: readonly string[]): Promise<number> {
  return dropRuns(database, name, ["waiting", "failed"], new Set(planned));
}

function dropRuns(
  database: Database,
  name: string,
  states: readonly RunState[],
  kept: ReadonlySet<string> = new Set(),
): Promise<number> {
  return database.transaction(async (sql) => {
    const { sql: condition } = conditionOf({ study: name, state: states });
    const runs = await sql.rows(`SELECT r.number, r.id ${STUDY_RUNS_AND_CELLS} AND ${condition}`, [name]);
    const numbers = runs.filter(({ id }) => !kept.has(String(id))).map(({ number }) => number);
    const [study] = await sql.rows("SELECT number FROM studies WHERE name = $1", [name]);
    if (!study || numbers.length === 0) return 0;
    await rowsWith(sql, `DELETE FROM study_runs WHERE study = ${study["number"]} AND run IN ($…)`, numbers);
    const isKept =
      "EXISTS (SELECT 1 FROM studies s CROSS JOIN study_runs l WHERE l.study = s.number AND l.run = runs.number)";
    const gone = await rowsWith(
      sql,
      `DELETE FROM runs WHERE number IN ($…) AND NOT ${isKept} RETURNING state`,
      numbers,
    );
    await noteRemoved(sql, gone);
    await rowsWith(sql, "DELETE FROM details WHERE run IN ($…) AND run NOT IN (SELECT number FROM runs)", numbers);
    await noteStudyChange(sql, name, database.now);
    return numbers.length;
  });
}
