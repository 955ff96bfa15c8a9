import type { Json } from "../../core/options/index.ts";
import type { RunDescription } from "../study/run-description.ts";

/** State of a run. */
export type RunState = "waiting" | "running" | "done" | "failed";

/** A run as a plan hands it to a store. */
export interface PlannedRun {
  readonly id: string;
  readonly description: RunDescription;
  /** Runs of the same work are taken together: they need the same flips. */
  readonly work: string;
  /** Runs of the same batch are better done one after the other by the same process: they need the same trained model. */
  readonly batch: string;
}

/** A run that a process has taken, to be finished or failed before its lease ends. */
export interface TakenRun extends PlannedRun {
  /** How often it was taken, this time included. */
  readonly attempts: number;
}

/** Outcome of a finished run. */
export interface RunOutcome {
  /**
   * The value measured, which depends on the quantity of the cell. `accuracy`: after the attack, or on the clean graph
   * if there is none; `validation-accuracy`: on validation nodes, without an attack; `success-rate`: the share of
   * single nodes for which an attack succeeds; `hidden-shift`: how far the attack moves the first hidden layer;
   * `gradient-agreement`: the cosine between the gradients of the model and of the one whose weights it has;
   * `certificate`: shares of correct and certified nodes, summed over all radii but 0.
   */
  readonly value: number;
  /** Accuracy on the clean graph. */
  readonly clean: number;
  /** Time of the run, without what earlier runs had already prepared. */
  readonly seconds: number;
  readonly peakBytes: number;
  /** All details of the outcome, as JSON. */
  readonly result: Json;
}

/** Columns of a cell, by which runs can be filtered and grouped. */
export const CELL_COLUMNS = [
  "dataset",
  "split",
  "model",
  "hyperparameters",
  "attack",
  "options",
  "loss",
  "objective",
  "epsilon",
  "budget",
  "surrogate",
  "time",
  "quantity",
  "device",
  "code",
] as const;
/** A column of a cell. */
export type CellColumn = (typeof CELL_COLUMNS)[number];

/**
 * Values of the columns of a cell. Without an attack, the attack's columns are `none`, empty or 0; an empty surrogate
 * stands for the victim itself.
 */
export type CellValues = { readonly [Column in CellColumn]: Column extends "epsilon" | "budget" ? number : string };

/** Distinct values of each column, sorted. */
export type ColumnValues = { readonly [Column in CellColumn]: readonly CellValues[Column][] };

/** Matches runs that have one of the given values in every column named. */
export type RunFilter = { readonly [Column in CellColumn]?: readonly CellValues[Column][] } & {
  readonly seed?: readonly number[];
  readonly state?: readonly RunState[];
  readonly study?: string;
};

/** A run as lists show it. */
export interface RunRow extends CellValues {
  /** Numbers runs in the order in which they were added to the store. */
  readonly number: number;
  readonly id: string;
  readonly cell: number;
  readonly seed: number;
  readonly state: RunState;
  readonly attempts: number;
  readonly value: number | null;
  readonly clean: number | null;
  readonly seconds: number | null;
  readonly peakBytes: number | null;
  readonly error: string | null;
}

/** Part of a list, for lists that are read page by page. */
export interface Page {
  readonly limit?: number;
  /** Only runs with a larger number. */
  readonly after?: number;
}

/** What lists of runs can be sorted by. */
export const SORT_COLUMNS = [
  ...CELL_COLUMNS,
  "seed",
  "state",
  "value",
  "clean",
  "seconds",
  "peakBytes",
  "finishedAt",
] as const;

/** Part of a sorted list. Runs without a value come last. */
export interface SortedPage {
  readonly by: (typeof SORT_COLUMNS)[number];
  readonly isDescending: boolean;
  readonly limit: number;
  /** How many runs are skipped at the beginning. */
  readonly offset: number;
}

/** All that a store knows of a run. */
export interface RunInFull {
  readonly row: RunRow;
  readonly description: RunDescription;
  readonly studies: readonly string[];
  /** The process that measures it. */
  readonly owner: string | null;
  /** Milliseconds since 1970: when it was done, or failed the last time. */
  readonly finishedAt: number | null;
  /** Null before it is done. */
  readonly result: Json;
}

/** What a study should do; null if nobody asked for anything. */
export type StudyWish = "run" | "pause" | "cancel" | null;

/** A study, and how many of its runs are in each state. */
export interface StudyRecord {
  readonly name: string;
  readonly counts: Readonly<Record<RunState, number>>;
  /** The study file; null if it was never handed over. */
  readonly text: string | null;
  readonly wish: StudyWish;
  /** Milliseconds since 1970. */
  readonly wishedAt: number | null;
  /** Why it could not be run as a whole. */
  readonly error: string | null;
  /** Milliseconds since 1970. */
  readonly changedAt: number | null;
}

/** A study with a wish. */
export interface WishedStudy {
  readonly name: string;
  readonly wish: Exclude<StudyWish, null>;
  readonly text: string | null;
}

/** What has happened in a store, whoever did it. */
export interface Changes {
  /** Number of the last change; later changes have larger numbers. */
  readonly number: number;
  /** Runs that began, ended or wait again, as they are now. */
  readonly runs: readonly RunRow[];
  /** Names of the studies that have changed, or whose runs have. */
  readonly studies: readonly string[];
  /** True if more runs have changed than are listed; then every study is listed. */
  readonly isMore: boolean;
}

/** Means over the runs that are done and agree in some columns. */
export interface Aggregate {
  readonly group: Partial<CellValues>;
  readonly count: number;
  readonly mean: number;
  /** Null for a single run. */
  readonly standardError: number | null;
  readonly cleanMean: number;
  readonly cleanStandardError: number | null;
  readonly secondsMean: number;
  readonly peakBytes: number;
}

/** A run that is done, with all that a store knows of it. */
export interface FinishedRun extends PlannedRun {
  readonly outcome: RunOutcome;
  /** Milliseconds since 1970. */
  readonly finishedAt: number;
}

/** A process that has taken runs. */
export interface Owner {
  readonly owner: string;
  readonly runs: number;
  /** Milliseconds until the first of its leases ends; negative if it has ended. */
  readonly leaseLeft: number;
}

/** What a merge has added. */
export interface MergeReport {
  readonly added: number;
  /** Runs that are done in both stores with different values; the values already here are kept. */
  readonly differing: readonly string[];
}

/** Which runs a process may take, and for how long. */
export interface TakeOptions {
  readonly owner: string;
  readonly leaseMs: number;
  readonly study?: string;
  /** Kinds of devices that the process has; all if left out. */
  readonly devices?: readonly string[];
  /** Only runs planned by this code: what the process runs, for each device. Any if left out. */
  readonly code?: readonly string[];
}

/**
 * Runs and their results. Every call is atomic: if its process is killed, it has happened as a whole or not at all
 * (rule D1); `addRuns` adds many runs in parts, each of them atomic. Several processes may call at once.
 */
export interface RunStore {
  /** Name of the store in messages. */
  readonly name: string;
  /** Adds the runs of a study. Those that are there already, from this or another study, stay as they are. */
  addRuns(study: string, runs: readonly PlannedRun[]): Promise<void>;
  /** Leases the next work: all its runs that wait. Null if nothing waits that may be taken. */
  take(options: TakeOptions): Promise<readonly TakenRun[] | null>;
  /** Prolongs all leases of an owner. */
  heartbeat(owner: string, leaseMs: number): Promise<void>;
  /** Stores a result. False if the run does not belong to this owner any more: then the result is dropped. */
  finish(id: string, owner: string, outcome: RunOutcome): Promise<boolean>;
  /** Notes an error. The run waits again if `retry` allows it and it was not tried too often. */
  fail(id: string, owner: string, error: string, retry: boolean): Promise<void>;
  /** Lets all runs of an owner that is gone wait again. That counts as an attempt: they may have killed it. */
  release(owner: string): Promise<void>;
  /** Lets the runs of an owner that stops in an orderly way wait again. That does not count as an attempt. */
  handBack(owner: string): Promise<void>;
  /**
   * Lets failed runs of a study wait again and resets the attempts of all its runs: otherwise, stopping or killing a
   * study many times would fail runs that are in order. Returns how many had failed.
   */
  tryAgain(study: string): Promise<number>;
  /**
   * Removes waiting and failed runs from a study whose plan has changed, except those with these ids. Returns how many.
   */
  leaveOut(study: string, planned: readonly string[]): Promise<number>;
  owners(): Promise<Owner[]>;
  count(filter?: RunFilter): Promise<Readonly<Record<RunState, number>>>;
  list(filter?: RunFilter, page?: Page): Promise<RunRow[]>;
  aggregate(filter: RunFilter, by: readonly CellColumn[], limit?: number): Promise<Aggregate[]>;
  /** Runs that are done, in full. */
  finished(filter?: RunFilter, page?: Page): Promise<(FinishedRun & { readonly number: number })[]>;
  /** Runs in the order of a column. */
  sorted(filter: RunFilter, page: SortedPage): Promise<RunRow[]>;
  /** Null if there is no such run. */
  run(id: string): Promise<RunInFull | null>;
  /** Studies by name; all if none are named. */
  studies(names?: readonly string[]): Promise<StudyRecord[]>;
  /** Keeps the text of a study, so that any process can start it. */
  keepText(study: string, text: string): Promise<void>;
  /** Notes what a study should do, for a server to follow; false if there is no such study. */
  wish(study: string, wish: StudyWish, error?: string): Promise<boolean>;
  /** Studies with a wish, in the order in which the wishes were noted. */
  wishes(): Promise<WishedStudy[]>;
  /** Notes that a study has changed in a way that the store does not see. */
  touch(study: string): Promise<void>;
  /** The values that runs have in each column. */
  values(filter: RunFilter): Promise<ColumnValues>;
  /** Removes waiting runs from a study, and from the store unless another study has them; returns how many. */
  dropWaiting(study: string): Promise<number>;
  /** The number of the last change. */
  lastChange(): Promise<number>;
  /** What is newer than a change, with at most `limit` runs. */
  changesSince(number: number, limit: number): Promise<Changes>;
  /** Takes over finished runs, for example those of another store. */
  merge(runs: readonly FinishedRun[]): Promise<MergeReport>;
  close(): Promise<void>;
}
