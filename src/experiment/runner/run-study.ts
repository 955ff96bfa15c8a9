import { availableParallelism, freemem } from "node:os";
import { setTimeout } from "node:timers/promises";
import type { StopSignal } from "../../core/stop-signal.ts";
import { allRuns } from "../results/group-results.ts";
import type { RunStore } from "../store/store.ts";
import { measuringCode } from "../study/code-hash.ts";
import { graphName } from "../study/graph-name.ts";
import type { Plan } from "../study/plan-study.ts";
import { chooseWorkers, type Workers } from "./choose-workers.ts";
import { newOwner, releaseDead } from "./owner.ts";
import { putPlan } from "./put-plan.ts";
import { runFacts } from "./run-facts.ts";
import { RunMeasurer } from "./run-measurer.ts";
import { type WorkEvent, workThrough } from "./work-through.ts";
import { runPool } from "./worker-pool.ts";

/** Where and how a study runs. */
export interface RunStudyOptions {
  /** Where the store is, for worker processes to open it. */
  readonly place: string;
  /** The folder of trained models and flips. */
  readonly artefacts: string;
  /** Processes; chosen by the size of the graphs if left out. */
  readonly workers?: number;
  /** Threads of each process; by default, the cores are divided among the processes. */
  readonly threads?: number;
  readonly dataDir?: string;
  readonly signal?: StopSignal;
  readonly tell?: (worker: number, event: WorkEvent) => void;
}

const POLL_MS = 500;

/** A run that failed, and why. */
export interface Failure {
  readonly run: string;
  readonly error: string;
  readonly attempts: number;
}

/** What became of the runs of a study. */
export interface StudyReport {
  readonly study: string;
  readonly done: number;
  readonly failed: readonly Failure[];
  /** Runs that are not done yet: the study was interrupted, or they need devices that this process does not have. */
  readonly waiting: number;
  readonly interrupted: boolean;
}

/**
 * Measures all runs of a plan that the store does not hold yet. Called again after it was stopped or killed, it
 * continues where it was, and tries failed runs again.
 */
export async function runStudy(store: RunStore, plan: Plan, options: RunStudyOptions): Promise<StudyReport> {
  const { study } = plan;
  await putPlan(store, plan);
  while (!options.signal?.aborted) {
    await releaseDead(store);
    const { waiting, running } = await store.count({ study });
    if (waiting === 0 && running === 0) break;
    if (waiting === 0) {
      await setTimeout(POLL_MS); // another process measures the last ones, and may fail
      continue;
    }
    const hasBegun = await workOn(store, plan, options);
    if (!hasBegun && (await store.count({ study })).waiting === waiting) break; // the rest needs other devices
  }
  return reportOf(store, plan, options.signal?.aborted === true);
}

/** How many processes and threads a plan is given on this machine. */
export async function workersFor(store: RunStore, plan: Plan, asked: Partial<Workers> = {}): Promise<Workers> {
  const { runs, largestGraph } = plan;
  const cores = availableParallelism();
  if (asked.workers !== undefined || asked.threads !== undefined) {
    const { workers = 1, threads = Math.max(1, Math.floor(cores / workers)) } = asked;
    return { workers, threads };
  }
  const datasets = [...new Set(runs.map(({ description }) => graphName(description.cell.graph)))];
  const [earlier] = await store.aggregate({ dataset: datasets }, []);
  return chooseWorkers({
    cores,
    works: new Set(runs.map(({ work }) => work)).size,
    largestGraph,
    devices: [...new Set(runs.map(({ description }) => description.cell.device))],
    bytesPerRun: earlier?.peakBytes ?? null,
    freeBytes: freemem(),
  });
}

/** Works on the waiting runs; returns whether any run began. */
async function workOn(store: RunStore, plan: Plan, options: RunStudyOptions): Promise<boolean> {
  const { place, artefacts, dataDir, signal } = options;
  let hasBegun = false;
  const tell = (worker: number, event: WorkEvent) => {
    hasBegun ||= event.kind === "began";
    options.tell?.(worker, event);
  };
  const { workers, threads } = await workersFor(store, plan, options);
  const { study } = plan;
  const where = { ...(dataDir !== undefined && { dataDir }), ...(signal && { signal }) };
  if (workers > 1) {
    await runPool(store, { place, artefacts, study, workers, threads, tell, ...where });
    return hasBegun;
  }
  const measurer = new RunMeasurer({ artefacts, facts: runFacts(), threads, ...where });
  try {
    await workThrough(store, {
      owner: newOwner(),
      place,
      code: measuringCode(),
      measure: (run, watch) => measurer.measure(run, watch),
      study,
      ...(signal && { signal }),
      tell: (event) => tell(0, event),
    });
  } finally {
    await measurer.close();
  }
  return hasBegun;
}

async function reportOf(store: RunStore, { study, runs }: Plan, interrupted: boolean): Promise<StudyReport> {
  const { waiting, running } = await store.count({ study });
  const planned = new Set(runs.map(({ id }) => id)); // the study may have results of an older plan
  const done = (await allRuns(store, { study, state: ["done"] })).filter(({ id }) => planned.has(id)).length;
  const failed = await allRuns(store, { study, state: ["failed"] });
  return {
    study,
    done,
    waiting: waiting + running,
    interrupted,
    failed: failed.map(({ id, error, attempts }) => ({ run: id, error: error ?? "unknown", attempts })),
  };
}
