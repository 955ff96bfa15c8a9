import { addFinished, addToStudy } from "./add-runs.ts";
import { aggregateRuns } from "./aggregate-runs.ts";
import type { Database, Row } from "./database.ts";
import { leaveOut } from "./leave-out.ts";
import { chunks } from "./many-rows.ts";
import { asksForRunsAlone, conditionOf, inStudy, onlyCells } from "./run-filter.ts";
import { failRun, finishRun, giveUp, takeWork } from "./run-queue.ts";
import { CELLS_AND_RUNS, FINISHED_COLUMNS, finishedRun, RUNS_AND_CELLS, STUDY_RUNS_AND_CELLS } from "./run-rows.ts";
import { noRuns, noteStates, readStateCounts } from "./state-counts.ts";
import {
  type Aggregate,
  CELL_COLUMNS,
  type CellColumn,
  type FinishedRun,
  type MergeReport,
  type Owner,
  type Page,
  type PlannedRun,
  type RunFilter,
  type RunOutcome,
  type RunRow,
  type RunState,
  type RunStore,
  type TakenRun,
  type TakeOptions,
} from "./store.ts";

/** Runs per transaction when many are added: others get their turn in between. */
const CHUNK = 20_000;

/** Up to this many cells have so few runs that they can all be sorted. */
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
    for (const part of chunks(runs, CHUNK)) await this.database.transaction((sql) => addToStudy(sql, study, part));
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

  tryAgain(study: string): Promise<number> {
    const ofStudy = (state: string) => `number IN (SELECT r.number FROM runs r WHERE ${state} AND ${inStudy("$1")})`;
    return this.database.transaction(async (sql) => {
      const failed = await sql.rows(
        `UPDATE runs SET state = 'waiting', error = NULL WHERE ${ofStudy("r.state = 'failed'")} RETURNING state`,
        [study],
      );
      await noteStates(sql, "failed", failed);
      for (const state of ["waiting", "running"]) // one by one: each has an index of its own
        await sql.rows(`UPDATE runs SET attempts = 0 WHERE ${ofStudy(`r.state = '${state}' AND r.attempts > 0`)}`, [
          study,
        ]);
      return failed.length;
    });
  }

  leaveOut(study: string, code: string): Promise<number> {
    return this.database.transaction((sql) => leaveOut(sql, study, code));
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
    const from = filter.study === undefined ? CELLS_AND_RUNS : STUDY_RUNS_AND_CELLS;
    const rows = await this.database.rows(
      `SELECT r.state, CAST(COUNT(*) AS INTEGER) AS runs ${from} AND ${sql} GROUP BY r.state`,
      parameters,
    );
    const counts = noRuns();
    for (const { state, runs } of rows) counts[state as RunState] = Number(runs);
    return counts;
  }

  async list(filter: RunFilter = {}, page: Page = {}): Promise<RunRow[]> {
    const ofCell = CELL_COLUMNS.map((column) => `c.${column}`).join();
    const ofRun =
      "r.number, r.id, r.cell, r.seed, r.state, r.attempts, r.value, r.clean, r.seconds, r.peak_bytes, r.error";
    const rows = await this.select(`${ofRun}, ${ofCell}`, filter, page);
    return rows.map(({ peak_bytes, ...row }) => ({ ...row, peakBytes: peak_bytes }) as unknown as RunRow);
  }

  aggregate(filter: RunFilter, by: readonly CellColumn[], limit = 1000): Promise<Aggregate[]> {
    return aggregateRuns(this.database, filter, by, limit);
  }

  async finished(filter: RunFilter = {}, page: Page = {}): Promise<(FinishedRun & { readonly number: number })[]> {
    const rows = await this.select(FINISHED_COLUMNS, { ...filter, state: ["done"] }, page);
    return rows.map(finishedRun);
  }

  merge(runs: readonly FinishedRun[]): Promise<MergeReport> {
    return this.database.transaction((sql) => addFinished(sql, runs));
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /** Runs in the order in which they came, as far as they are asked for. */
  private async select(what: string, filter: RunFilter, { limit = 1000, after = 0 }: Page): Promise<Row[]> {
    const from = await this.sourceOf(filter);
    const { sql, parameters } = conditionOf(filter);
    parameters.push(after);
    return this.database.rows(
      `SELECT ${what} ${from} AND ${sql} AND r.number > $${parameters.length} ORDER BY r.number LIMIT ${limit}`,
      parameters,
    );
  }

  /** Runs of few cells are found quickly through their cells; those of many by going through the runs until there are enough. */
  private async sourceOf(filter: RunFilter): Promise<string> {
    if (filter.study !== undefined) return STUDY_RUNS_AND_CELLS;
    if (asksForRunsAlone(filter)) return RUNS_AND_CELLS;
    const { sql, parameters } = conditionOf(onlyCells(filter));
    const rows = await this.database.rows(`SELECT 1 FROM cells c WHERE ${sql} LIMIT ${FEW_CELLS + 1}`, parameters);
    return rows.length <= FEW_CELLS ? CELLS_AND_RUNS : RUNS_AND_CELLS;
  }
}
