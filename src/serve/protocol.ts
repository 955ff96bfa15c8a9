// What the server of the dashboard and its clients say to each other, as JSON. Types only, without anything of Node, so that pages can
// import this file.
//
// Lists of values in a query are repeated names: `?model=gcn&model=sgc`. Every answer with a status of 400 or more is a `Problem`.
// Posts have a body of `application/json`, apart from studies (`application/yaml`) and graphs (`multipart/form-data`).
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
  /** Of a study's text: where the mistake is. */
  readonly line?: number;
  /** Of a study's text: such as `models[1].dropout`. */
  readonly key?: string;
}

/** `GET /api/server`: what a page needs to know first. */
export interface ServerFacts {
  readonly version: string;
  /** What the store is called; holds no password. */
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
  /** What it should do; null if nobody said: it was added by another command, or it is done. */
  readonly wish: StudyWish;
  /** Whether this server is measuring it now. One that should run and is not active has its turn later. */
  readonly isActive: boolean;
  /** Why it could not be run as a whole (runs that fail have errors of their own). */
  readonly error: string | null;
  /** Milliseconds since 1970; null if unknown. */
  readonly changedAt: number | null;
  /** Whether the store has its text, without which it cannot be started here. */
  readonly hasText: boolean;
}

/** `GET /api/studies/:name` */
export interface StudyDetails extends StudySummary {
  /** The study file. */
  readonly text: string | null;
  /** Values that its runs have, for filters: only columns with more than one value. */
  readonly values: { readonly [Column in CellColumn]?: readonly CellValues[Column][] };
  /** The first of the runs that failed, with their errors; the others by `/api/runs?state=failed`. */
  readonly failures: readonly RunRow[];
}

/** Columns that `GET /api/runs` sorts by, with `-` in front for the largest first. Without, runs come as they were planned. */
export type SortColumn = (typeof SORT_COLUMNS)[number];

/**
 * `GET /api/runs?study=&dataset=&model=&…&seed=&state=&sort=&limit=&after=`: any column of a cell filters. `limit` is 100 unless told
 * otherwise, at most 1000; `after` is `next` of the page before.
 */
export interface RunPage {
  readonly runs: readonly RunRow[];
  /** Null at the end. */
  readonly next: string | null;
  /** Of all pages together, by state. */
  readonly counts: RunCounts;
}

/** `GET /api/runs/:id`: a run in full. */
export interface RunDetails {
  readonly row: RunRow;
  readonly description: RunDescription;
  /** A few words, such as lines of progress show. */
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
 * runs; `limit` groups, 1000 unless told otherwise.
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
  /** What the workers of this server are at. */
  readonly progress: readonly WorkerProgress[];
}

/** What a worker of this server is at. */
export interface WorkerProgress {
  readonly study: string;
  /** A small number. */
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
 * `GET /api/events`: server-sent events. A client listens first and then loads what it shows, so that nothing falls in between; after a lost connection `EventSource` sends the id of
 * the last `change` by itself and gets what it missed, from this server or the next one on the same store.
 *
 * | event      | data             | when |
 * | ---------- | ---------------- | --- |
 * | `change`   | `ChangeEvent`    | the store has changed, by whomever; has an id |
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

// The first event says where the client is: a `change` without runs or studies.

/** `POST /api/studies` (the text of a study file, `application/yaml`): plans the study and adds its runs; it waits to be started. */
export interface AddedStudy {
  readonly name: string;
  readonly counts: RunCounts;
}

// `POST /api/studies/:name/start`, `/pause`, `/cancel`: answers with the new `StudySummary`. A paused study goes on where it was when it
// is started again. Cancelling drops the runs that wait; results are kept, and starting it again plans the others anew.

/**
 * `POST /api/lab/:call` with a JSON body and the header `X-Rgnn-Lab`: a random id of the browser's tab, 16 to 64 letters and digits,
 * which has an engine of its own. Answers with a line of JSON (`application/x-ndjson`) for each step; the last one has `result` or
 * `error`. Closing the connection cancels the call.
 *
 * `POST /api/lab/graph` has a form instead: files in the field `files`, and JSON in the field `request` if there is more to say. The engine
 * is called as `graph` with the fields of that request and `files: { name: string, bytes: Uint8Array }[]`.
 *
 * `POST /api/lab/close` ends the engine of a tab (also by `navigator.sendBeacon`-like requests with `keepalive`).
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
