import type { Row, Sql } from "./database.ts";
import { asksForCells, conditionOf } from "./run-filter.ts";
import { CELLS_AND_RUNS, STUDY_RUNS_AND_CELLS } from "./run-rows.ts";
import type { Aggregate, CellColumn, RunFilter } from "./store.ts";

/** Each cell has sums over its runs. If the filter is about cells alone, only these sums are read. */
const SUMS_OF_CELLS = `CAST(SUM(c.done) AS INTEGER) AS count, SUM(c.value_sum) AS total, SUM(c.value_squares) AS squares,
  SUM(c.clean_sum) AS clean_total, SUM(c.clean_squares) AS clean_squares, SUM(c.seconds_sum) AS seconds,
  MAX(c.peak_bytes) AS peak_bytes FROM cells c WHERE c.done > 0`;
const SUMS_OF_RUNS = `CAST(COUNT(*) AS INTEGER) AS count, SUM(r.value) AS total, SUM(r.value * r.value) AS squares,
  SUM(r.clean) AS clean_total, SUM(r.clean * r.clean) AS clean_squares, SUM(r.seconds) AS seconds,
  MAX(r.peak_bytes) AS peak_bytes`;

/** Means of the runs that are done, for each group that agrees in the columns. */
export async function aggregateRuns(
  sql: Sql,
  filter: RunFilter,
  by: readonly CellColumn[],
  limit: number,
): Promise<Aggregate[]> {
  const { sql: condition, parameters } = conditionOf(filter);
  const columns = by.map((column) => `c.${column}`).join();
  const runs = filter.study === undefined ? CELLS_AND_RUNS : STUDY_RUNS_AND_CELLS;
  const sums = `${asksForCells(filter) ? SUMS_OF_CELLS : `${SUMS_OF_RUNS} ${runs} AND r.state = 'done'`} AND ${condition}`;
  const query = by.length === 0 ? sums : `${columns}, ${sums} GROUP BY ${columns} ORDER BY ${columns}`;
  const rows = await sql.rows(`SELECT ${query} LIMIT ${limit}`, parameters);
  return rows.filter(({ count }) => Number(count) > 0).map((row) => aggregateOf(row, by));
}

function aggregateOf(row: Row, by: readonly CellColumn[]): Aggregate {
  const count = Number(row["count"]);
  return {
    group: Object.fromEntries(by.map((column) => [column, row[column]])),
    count,
    mean: Number(row["total"]) / count,
    standardError: standardError(count, Number(row["total"]), Number(row["squares"])),
    cleanMean: Number(row["clean_total"]) / count,
    cleanStandardError: standardError(count, Number(row["clean_total"]), Number(row["clean_squares"])),
    secondsMean: Number(row["seconds"]) / count,
    peakBytes: Number(row["peak_bytes"]),
  };
}

/** Standard error of a mean, from the sum and the sum of squares. Rounding may leave a variance just below 0. */
function standardError(count: number, total: number, squares: number): number | null {
  if (count < 2) return null;
  return Math.sqrt(Math.max(0, squares - (total * total) / count) / (count - 1) / count);
}
