import type { Sql } from "./database.ts";
import { rowsWith } from "./many-rows.ts";
import { STUDY_RUNS_AND_CELLS } from "./run-rows.ts";
import { noteRemoved } from "./state-counts.ts";

/** Takes runs of other code that nobody has measured out of a study, and those that no other study asks for out of the store. */
export async function leaveOut(sql: Sql, study: string, code: string): Promise<number> {
  const rows = await sql.rows(
    `SELECT r.number ${STUDY_RUNS_AND_CELLS} AND (r.state = 'waiting' OR r.state = 'failed') AND c.code <> $2`,
    [study, code],
  );
  const numbers = rows.map(({ number }) => number);
  await rowsWith(
    sql,
    "DELETE FROM study_runs WHERE study = (SELECT number FROM studies WHERE name = $1) AND run IN ($…)",
    numbers,
    [study],
  );
  const unwanted = await rowsWith(
    sql,
    "DELETE FROM runs WHERE number IN ($…) AND number NOT IN (SELECT run FROM study_runs) RETURNING number, state",
    numbers,
  );
  await rowsWith(
    sql,
    "DELETE FROM details WHERE run IN ($…)",
    unwanted.map(({ number }) => number),
  );
  await noteRemoved(sql, unwanted);
  return rows.length;
}
