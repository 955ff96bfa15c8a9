import { addFinished, addToStudy } from "./add-runs.ts";
import { aggregateRuns } from "./aggregate-runs.ts";
import { changesSince, lastChange, NEXT_CHANGE, noteIfAny, noteStudyChange } from "./changes.ts";
import type { Database, Row, SqlValue } from "./database.ts";
import { chunks } from "./many-rows.ts";
import { asksForRunsAlone, conditionOf, inStudy, onlyCells } from "./run-filter.ts";
import { failRun, finishRun, giveUp, handBack, takeWork } from "./run-queue.ts";
import {
  CELLS_AND_RUNS,
  FINISHED_COLUMNS,
  finishedRun,
  LISTED_COLUMNS,
  listedRun,
  RUNS_AND_CELLS,
  runInFull,
  STUDY_RUNS_AND_CELLS,
  sortExpression,
} from "./run-rows.ts";
import { noRuns, noteStates, readStateCounts } from "./state-counts.ts";
import {
  type Aggregate,
  CELL_COLUMNS,
  type CellColumn,
  type Changes,
  type ColumnValues,
  type FinishedRun,
  type MergeReport,
  type Owner,
  type Page,
  type PlannedRun,
  type RunFilter,
  type RunInFull,
  type RunOutcome,
  type RunRow,
  type RunState,
  type RunStore,
  type SortedPage,
  type StudyRecord,
  type StudyWish,
  type TakenRun,
  type TakeOptions,
  type WishedStudy,
} from "./store.ts";
import { dropWaiting, keepText, leaveOut, noteWish, studyRecords, wishedStudies } from "./study-records.ts";

/** Runs per transaction when many are added, so that other writers get their turn in between. */
const CHUNK = 20_000;

/** Runs of at most this many cells are few enough to be sorted. */
const FEW_CELLS = 1000;

/** The store, in SQL that every {@link Database} understands. */
export class SqlStore implements RunStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  get name(): string {
    return this.database.name;
  }

  async addRuns(study: string, runs: readonly PlannedRun[]): Promise<void> {
    for (const part of chunks(runs, CHUNK)) {
      await this.database.transaction(async (sql) => {
        await addToStudy(sql, study, part);
        await noteStudyChange(sql, study, this.database.now);
      });
    }
  }

  take(options: TakeOptions): Promise<readonly TakenRun[] | null> {
    return takeWork(this.database, options);
  }

  async heartbeat(owner: string, leaseMs: number): Promise<void> {
    await this.database.rows(
      `UPDATE runs SET lease_until = ${this.database.now} + $1 WHERE state = 'running' AND owner = $2`,
      [leaseMs, owner],
    );
  }

  finish(id: string, owner: string, outcome: RunOutcome): Promise<boolean> {
    return finishRun(this.database, id, owner, outcome);
  }

  fail(id: string, owner: string, error: string, retry: boolean): Promise<void> {
    return failRun(this.database, id, owner, { error, retry });
  }

  release(owner: string): Promise<void> {
    return this.database.transaction((sql) => giveUp(sql, "owner = $1", [owner]));
  }

  handBack(owner: string): Promise<void> {
    return handBack(this.database, owner);
  }

  tryAgain(study: string): Promise<number> {
    const ofStudy = (state: string) => `number IN (SELECT r.number FROM runs r WHERE ${state} AND ${inStudy("$1")})`;
    return this.database.transaction(async (sql) => {
      const failed = await sql.rows(
        `UPDATE runs SET state = 'waiting', error = NULL, changed = ${NEXT_CHANGE}
         WHERE ${ofStudy("r.state = 'failed'")} RETURNING state`,
        [study],
      );
      await noteStates(sql, "failed", failed);
      for (const state of ["waiting", "running"]) // one by one: each has an index of its own
        await sql.rows(`UPDATE runs SET attempts = 0 WHERE ${ofStudy(`r.state = '${state}' AND r.attempts > 0`)}`, [
          study,
        ]);
      await noteIfAny(sql, failed);
      return failed.length;
    });
  }

  leaveOut(study: string, planned: readonly string[]): Promise<number> {
    return leaveOut(this.database, study, planned);
  }

  async owners(): Promise<Owner[]> {
    const rows = await this.database.rows(
      `SELECT owner, CAST(COUNT(*) AS INTEGER) AS runs, MIN(lease_until) - ${this.database.now} AS lease_left
       FROM runs WHERE state = 'running' GROUP BY owner ORDER BY owner`,
    );
    return rows.map(({ owner, runs, lease_left }) => ({
      owner: String(owner),
      runs: Number(runs),
      leaseLeft: Number(lease_left),
    }));
  }

  async count(filter: RunFilter = {}): Promise<Readonly<Record<RunState, number>>> {
    if (Object.keys(filter).length === 0) return readStateCounts(this.database);
    const { sql, parameters } = conditionOf(filter);
    const ofAll = asksForRunsAlone(filter) ? "FROM runs r WHERE 1 = 1" : CELLS_AND_RUNS;
    const from = filter.study === undefined ? ofAll : STUDY_RUNS_AND_CELLS;
    const rows = await this.database.rows(
      `SELECT r.state, CAST(COUNT(*) AS INTEGER) AS runs ${from} AND ${sql} GROUP BY r.state`,
      parameters,
    );
    const counts = noRuns();
    for (const { state, runs } of rows) counts[state as RunState] = Number(runs);
    return counts;
  }

  async list(filter: RunFilter = {}, page: Page = {}): Promise<RunRow[]> {
    const rows = await this.select(LISTED_COLUMNS, filter, page);
    return rows.map(listedRun);
  }

  aggregate(filter: RunFilter, by: readonly CellColumn[], limit = 1000): Promise<Aggregate[]> {
    return aggregateRuns(this.database, filter, by, limit);
  }

  async finished(filter: RunFilter = {}, page: Page = {}): Promise<(FinishedRun & { readonly number: number })[]> {
    const rows = await this.select(FINISHED_COLUMNS, { ...filter, state: ["done"] }, page);
    return rows.map(finishedRun);
  }

  async sorted(filter: RunFilter, { by, isDescending, limit, offset }: SortedPage): Promise<RunRow[]> {
    const { sql, parameters } = conditionOf(filter);
    const order = `${sortExpression(by)} ${isDescending ? "DESC" : "ASC"} NULLS LAST, r.number`;
    parameters.push(limit, offset);
    const rows = await this.database.rows(
      `SELECT ${LISTED_COLUMNS} ${filter.study === undefined ? RUNS_AND_CELLS : STUDY_RUNS_AND_CELLS} AND ${sql}
       ORDER BY ${order} LIMIT $${parameters.length - 1} OFFSET $${parameters.length}`,
      parameters,
    );
    return rows.map(listedRun);
  }

  run(id: string): Promise<RunInFull | null> {
    return runInFull(this.database, id);
  }

  studies(names?: readonly string[]): Promise<StudyRecord[]> {
    return studyRecords(this.database, names);
  }

  keepText(study: string, text: string): Promise<void> {
    return keepText(this.database, study, text);
  }

  wish(study: string, wish: StudyWish, error?: string): Promise<boolean> {
    return noteWish(this.database, study, wish, error ?? null);
  }

  wishes(): Promise<WishedStudy[]> {
    return wishedStudies(this.database);
  }

  touch(study: string): Promise<void> {
    return this.database.transaction((sql) => noteStudyChange(sql, study, this.database.now));
  }

  async values(filter: RunFilter): Promise<ColumnValues> {
    const { sql, parameters } = conditionOf(filter);
    const columns = CELL_COLUMNS.map((column) => `c.${column}`).join();
    const runs = `SELECT 1 FROM runs r WHERE r.cell = c.number AND ${sql}`;
    const from =
      filter.study === undefined ? `FROM cells c WHERE EXISTS (${runs})` : `${STUDY_RUNS_AND_CELLS} AND ${sql}`;
    const rows = await this.database.rows(`SELECT DISTINCT ${columns} ${from}`, parameters);
    const valuesOf = (column: CellColumn) => [...new Set(rows.map((row) => row[column]))].sort(compareValues);
    return Object.fromEntries(CELL_COLUMNS.map((column) => [column, valuesOf(column)])) as unknown as ColumnValues;
  }

  dropWaiting(study: string): Promise<number> {
    return dropWaiting(this.database, study);
  }

  lastChange(): Promise<number> {
    return lastChange(this.database);
  }

  changesSince(number: number, limit: number): Promise<Changes> {
    return changesSince(this.database, number, limit);
  }

  merge(runs: readonly FinishedRun[]): Promise<MergeReport> {
    return this.database.transaction((sql) => addFinished(sql, runs));
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /** A page of the runs that match a filter, in the order in which they were added. */
  private async select(what: string, filter: RunFilter, { limit = 1000, after = 0 }: Page): Promise<Row[]> {
    const from = await this.sourceOf(filter);
    const { sql, parameters } = conditionOf(filter);
    parameters.push(after);
    return this.database.rows(
      `SELECT ${what} ${from} AND ${sql} AND r.number > $${parameters.length} ORDER BY r.number LIMIT ${limit}`,
      parameters,
    );
  }

  /**
   * Where to read from: runs of few cells are found fastest through their cells, those of many by scanning runs until
   * the page is full.
   */
  private async sourceOf(filter: RunFilter): Promise<string> {
    if (filter.study !== undefined) return STUDY_RUNS_AND_CELLS;
    if (asksForRunsAlone(filter)) return RUNS_AND_CELLS;
    const { sql, parameters } = conditionOf(onlyCells(filter));
    const rows = await this.database.rows(`SELECT 1 FROM cells c WHERE ${sql} LIMIT ${FEW_CELLS + 1}`, parameters);
    return rows.length <= FEW_CELLS ? CELLS_AND_RUNS : RUNS_AND_CELLS;
  }
}

function compareValues(a: SqlValue, b: SqlValue): number {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}
