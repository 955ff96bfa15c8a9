import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "../core/errors.ts";
import type { Progress } from "../core/progress.ts";
import type { WorkEvent } from "../experiment/runner/work-through.ts";
import { runPool } from "../experiment/runner/worker-pool.ts";
import { openRunStore } from "../experiment/store/open-run-store.ts";
import type { RunStore } from "../experiment/store/store.ts";
import { planStudy } from "../experiment/study/plan-study.ts";
import { parseStudy } from "../experiment/study/study-file.ts";

/** How fast a number of worker processes finish small runs. */
export interface WorkersRate {
  readonly workers: number;
  readonly runs: number;
  /** From the start of the first run to the end of the last: starting processes is left out. */
  readonly seconds: number;
  /** Milliseconds of a worker per run besides measuring: taking a run, keeping its result, reporting it. */
  readonly overheadMs: number;
}

export interface WorkersReport {
  readonly store: string;
  readonly rates: readonly WorkersRate[];
}

/** Options of {@link benchWorkers}. */
export interface WorkersChoice {
  /** The store, in which the runs stay. Default: a temporary file, which is removed afterwards. */
  readonly place?: string | undefined;
  /** Numbers of processes. */
  readonly numbers?: readonly number[];
  /** Number of budgets: the runs of each seed. */
  readonly budgets?: number;
}

/** Seeds of each study. With four, none of four workers has to wait for a model that another trains. */
const SEEDS = 4;

/** Measures small runs of a study with 1, 2 and 4 worker processes (or other numbers), each with one thread. */
export async function benchWorkers(
  progress: Progress,
  { place, numbers = [1, 2, 4], budgets = 100 }: WorkersChoice = {},
): Promise<WorkersReport> {
  const folder = mkdtempSync(join(tmpdir(), "rgnn-bench-"));
  const target = place ?? join(folder, "store.sqlite");
  const store = await openRunStore(target);
  try {
    const rates: WorkersRate[] = [];
    for (const [k, workers] of numbers.entries()) {
      const tell = (done: number, total: number) =>
        progress.update(k * total + done, numbers.length * total, `${workers} workers`);
      rates.push(
        await measure(store, { place: target, artefacts: join(folder, `${workers}`), workers, budgets, tell }),
      );
    }
    return { store: store.name, rates };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Work {
  readonly place: string;
  readonly artefacts: string;
  readonly workers: number;
  readonly budgets: number;
  readonly tell: (done: number, total: number) => void;
}

async function measure(store: RunStore, { place, artefacts, workers, budgets, tell }: Work): Promise<WorkersRate> {
  const study = `bench workers ${workers}`;
  const { runs } = await planStudy(parseStudy(studyText(study, workers, budgets), study));
  await store.addRuns(study, runs);
  const { waiting } = await store.count({ study });
  check(waiting === runs.length, () => `bench workers: ${store.name} holds runs of it already; name another store`);
  const shifts = Array.from({ length: workers }, () => new Shift());
  const finished = () => shifts.reduce((sum, shift) => sum + shift.runs, 0);
  await runPool(store, {
    place,
    artefacts,
    study,
    workers,
    threads: 1,
    tell: (worker, event) => {
      shifts[worker].hear(event);
      tell(finished(), runs.length);
    },
  });
  check(finished() === runs.length, () => `bench workers: ${runs.length - finished()} of ${runs.length} runs failed`);
  const used = shifts.filter((shift) => shift.runs > 0);
  const seconds = (Math.max(...used.map(({ end }) => end)) - Math.min(...used.map(({ begin }) => begin))) / 1000;
  const overhead = used.reduce((sum, { begin, end, measuring }) => sum + end - begin - measuring, 0);
  return { workers, runs: runs.length, seconds, overheadMs: overhead / runs.length };
}

/** A study of small runs on the built-in graph. Seeds differ by number of workers, so that no run is done already. */
function studyText(name: string, workers: number, budgets: number): string {
  const seeds = Array.from({ length: SEEDS }, (_, k) => 100 * workers + k);
  const flips = Array.from({ length: budgets }, (_, k) => k + 1);
  return JSON.stringify({
    name,
    datasets: "synthetic-citation",
    models: { name: "sgc", maxEpochs: 10 },
    attacks: "dice",
    budgets: flips,
    seeds,
  });
}

/** Collects the events of one worker process; times in milliseconds. */
class Shift {
  begin = Number.POSITIVE_INFINITY;
  end = Number.NEGATIVE_INFINITY;
  measuring = 0;
  runs = 0;

  hear(event: WorkEvent): void {
    const now = performance.now();
    this.begin = Math.min(this.begin, now);
    if (event.kind !== "finished") return;
    this.end = now;
    this.measuring += 1000 * event.seconds;
    this.runs++;
  }
}
