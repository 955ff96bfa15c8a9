// The JSON that the server of the dashboard and its clients exchange. Types only, and nothing of Node, so that pages
// can import this file.
//
// A query with several values repeats the name: `?model=gcn&model=sgc`. Every answer with a status of 400 or more is a
// `Problem`. Posts have a body of `application/json`, apart from studies (`application/yaml`) and graphs
// (`multipart/form-data`).
import type { Json } from "../core/options/index.ts";
import type { ModelComparison } from "../experiment/results/compare-models.ts";
import type { ResultGroup } from "../experiment/results/group-results.ts";
import type {
  CellColumn,
  CellValues,
  ColumnValues,
  Owner,
  RunRow,
  RunState,
  SORT_COLUMNS,
  StudyWish,
} from "../experiment/store/store.ts";
import type { RunDescription } from "../experiment/study/run-description.ts";

export type {
  CellColumn,
  CellValues,
  ColumnValues,
  ModelComparison,
  Owner,
  ResultGroup,
  RunDescription,
  RunRow,
  RunState,
  StudyWish,
};

/** Why a request was not answered. */
export interface Problem {
  /** One line that names the place, the value and the way out. To be shown as text, never as HTML. */
  readonly error: string;
  /** For a mistake in a study file: its line. */
  readonly line?: number;
  /** For a mistake in a study file: its key, such as `models[1].dropout`. */
  readonly key?: string;
}

/** `GET /api/server`: what a page needs to know first. */
export interface ServerFacts {
  readonly version: string;
  /** Name of the store, without any password. */
  readonly store: string;
  /** Whether `/api/lab` has an engine. */
  readonly hasLab: boolean;
  /** Whether `/api/report` makes reports. */
  readonly hasReport: boolean;
  /** Largest upload, in bytes. */
  readonly uploadLimit: number;
  /** Columns that runs can be filtered by and results be grouped by. */
  readonly columns: readonly CellColumn[];
}

export type RunCounts = Readonly<Record<RunState, number>>;

/** A study as lists show it. `GET /api/studies` answers with `StudySummary[]`, the last changed first. */
export interface StudySummary {
  readonly name: string;
  readonly counts: RunCounts;
  /** What the user wants done with it; null if it was added by another command, or is done. */
  readonly wish: StudyWish;
  /** Whether this server is measuring it now. A study that should run and is not active waits for its turn. */
  readonly isActive: boolean;
  /** Why the study as a whole could not be run (runs that fail have errors of their own). */
  readonly error: string | null;
  /** Milliseconds since 1970; null if unknown. */
  readonly changedAt: number | null;
  /** Whether the store has the study file; the server cannot start the study without it. */
  readonly hasText: boolean;
}

/** `GET /api/studies/:name` */
export interface StudyDetails extends StudySummary {
  /** The study file. */
  readonly text: string | null;
  /** For filters: the values that its runs have in each column with more than one. */
  readonly values: { readonly [Column in CellColumn]?: readonly CellValues[Column][] };
  /** The first runs that failed, with their errors; `/api/runs?study=&state=failed` lists all. */
  readonly failures: readonly RunRow[];
}

/** Columns that `GET /api/runs` sorts by, with `-` in front for the largest first. Default: the order of the plan. */
export type SortColumn = (typeof SORT_COLUMNS)[number];

/**
 * `GET /api/runs?study=&dataset=&model=&…&seed=&state=&sort=&limit=&after=`: any column of a cell is a filter. `limit`
 * is 100 by default and at most 1000; `after` is the `next` of the previous page.
 */
export interface RunPage {
  readonly runs: readonly RunRow[];
  /** Null on the last page. */
  readonly next: string | null;
  /** Numbers of runs on all pages together, by state. */
  readonly counts: RunCounts;
}

/** `GET /api/runs/:id`: a run in full. */
export interface RunDetails {
  readonly row: RunRow;
  readonly description: RunDescription;
  /** A few words, as lines of progress show them. */
  readonly label: string;
  readonly studies: readonly string[];
  /** Who measures it. */
  readonly owner: string | null;
  /** Milliseconds since 1970. */
  readonly finishedAt: number | null;
  /** All that was measured; null before it is done. */
  readonly result: Json;
}

/**
 * `GET /api/results?by=model&by=epsilon&…`: means over runs that are done, with standard errors and bootstrap intervals. Filters as for
 * runs; `limit` is the largest number of groups, 1000 by default.
 */
export type Results = readonly ResultGroup[];

/** `GET /api/compare?first=&second=&…`: which of two models is more robust. Filters as for runs. */
export type Comparison = readonly ModelComparison[];

/** `GET /api/values?…`: the values that runs have in each column, for filters. Filters as for runs. */
export type RunValues = ColumnValues;

/** `GET /api/workers` */
export interface Workers {
  /** Who holds leases, on any machine that uses the store. */
  readonly owners: readonly Owner[];
  /** What each worker of this server is doing. */
  readonly progress: readonly WorkerProgress[];
}

/** What a worker of this server is doing. */
export interface WorkerProgress {
  readonly study: string;
  /** A small number that identifies the worker. */
  readonly worker: number;
  /** Id of the run. */
  readonly run: string;
  /** In a few words. */
  readonly label: string;
  /** How much of the run is done, in [0, 1]. */
  readonly share: number;
  readonly note: string;
}

/**
 * `GET /api/events`: server-sent events. A client should listen first and then load what it shows, so that it misses
 * nothing in between. After a lost connection, `EventSource` by itself sends the id of the last event that had one, and
 * gets what it missed, from this server or the next one on the same store.
 *
 * | event      | data             | when |
 * | ---------- | ---------------- | --- |
 * | `change`   | `ChangeEvent`    | some process has changed the store; has an id |
 * | `progress` | `WorkerProgress[]` | of all workers of this server, a few times a second while they work; without an id |
 * | `reset`    | `null`           | too much was missed: load everything again; has an id |
 */
export interface ChangeEvent {
  /** Runs that began, finished, failed or wait again, as they are now. */
  readonly runs: readonly RunRow[];
  /** Studies whose counts, wishes or errors are new. */
  readonly studies: readonly StudySummary[];
  readonly owners: readonly Owner[];
  /** True if more changed than is listed, such as a whole plan that was added: load lists again. */
  readonly isMore: boolean;
}

// A client that sends no id first gets a `change` without runs and studies, whose id says where its stream begins.

/** `POST /api/studies` (the text of a study file, `application/yaml`): plans the study and adds its runs; it waits to be started. */
export interface AddedStudy {
  readonly name: string;
  readonly counts: RunCounts;
}

// `POST /api/studies/:name/start`, `/pause`, `/cancel`: answers with the new `StudySummary`. A paused study goes on where it was when it
// is started again. Cancelling drops the runs that wait and keeps results; starting again plans the dropped runs anew.

/**
 * `POST /api/lab/:call` with a JSON body and the header `X-Rgnn-Lab`: a random id of the browser's tab, 16 to 64 letters and digits,
 * which has an engine of its own. Answers with a line of JSON (`application/x-ndjson`) for each step; the last one has `result` or
 * `error`. Closing the connection cancels the call.
 *
 * `POST /api/lab/graph` has a form instead: files in the field `files`, and options, if any, as JSON in the field
 * `request`. The engine is called as `graph` with the fields of that request and
 * `files: { name: string, bytes: Uint8Array }[]`.
 *
 * `POST /api/lab/close` ends the engine of a tab. A page sends it with `keepalive` when it is left.
 */
export type LabLine =
  | { readonly progress: LabProgress }
  | { readonly result: Json }
  | { readonly error: string; readonly kind: "mistake" | "cancelled" | "busy" | "failure" };

/** How far a call is. */
export interface LabProgress {
  readonly done: number;
  readonly total: number;
  readonly note: string;
}

// `GET /api/report?study=`: a page (`text/html`) to be opened or saved; it runs in a sandbox of its own.
