import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "../core/errors.ts";
import type { Progress } from "../core/progress.ts";
import { Rng } from "../core/rng.ts";
import { openRunStore } from "../experiment/store/open-run-store.ts";
import type { FinishedRun, RunStore } from "../experiment/store/store.ts";
import { type CellDescription, runId } from "../experiment/study/run-description.ts";

/** How long a store takes to answer questions. */
export interface StoreReport {
  readonly runs: number;
  readonly answers: readonly StoreAnswer[];
  /** Time to take a run and to keep its result. */
  readonly millisecondsPerRun: number;
}

export interface StoreAnswer {
  readonly question: string;
  readonly rows: number;
  /** Median of five. */
  readonly milliseconds: number;
}

const SEEDS = 10;
const STUDY = "a study";
/** Most cells of the study. */
const OF_STUDY = 1000;
const MODELS = ["gcn", "gdc", "sgc", "gat", "mlp", "pprgo", "rgcn", "svd-gcn", "jaccard-gcn", "soft-median-gdc"];
const ATTACKS = ["prbcd", "grbcd", "pgd", "fgsm", "dice"];

/** Which store is measured. */
export interface StoreChoice {
  /** An empty store, in which the runs stay. Default: a temporary file, which is removed afterwards. */
  readonly place?: string | undefined;
  readonly runs?: number;
}

/** Fills a store with finished runs, then times the queries that reports make. */
export async function benchStore(
  progress: Progress,
  { place, runs = 1_000_000 }: StoreChoice = {},
): Promise<StoreReport> {
  if (place !== undefined) return measure(await openRunStore(place), runs, progress);
  const folder = mkdtempSync(join(tmpdir(), "rgnn-bench-"));
  try {
    return await measure(await openRunStore(join(folder, "store.sqlite")), runs, progress);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(store: RunStore, runs: number, progress: Progress): Promise<StoreReport> {
  try {
    const held = Object.values(await store.count()).reduce((sum, count) => sum + count, 0);
    check(held === 0, () => `bench store: ${store.name} holds ${held} runs; name an empty one`);
    await fill(store, runs, progress);
    const ofStudy = Array.from({ length: Math.min(OF_STUDY, runs / SEEDS) }, (_, k) => seedsOf(cellOf(k))).flat();
    await store.addRuns(STUDY, ofStudy);
    const answers = await askAll(store, { runs, ofStudy: ofStudy.length });
    return { runs, answers, millisecondsPerRun: await timeQueue(store) };
  } finally {
    await store.close();
  }
}

async function fill(store: RunStore, runs: number, progress: Progress): Promise<void> {
  const rng = new Rng(0);
  const cells = runs / SEEDS;
  const chunk = 1000;
  for (let first = 0; first < cells; first += chunk) {
    const part = Array.from({ length: Math.min(chunk, cells - first) }, (_, k) => cellOf(first + k));
    await store.merge(part.flatMap((cell) => seedsOf(cell).map((run) => finished(run, rng.uniform()))));
    progress.update(first + chunk, cells, "filling the store");
  }
}

/** The k-th of many cells. */
function cellOf(k: number): CellDescription {
  const epsilon = (1 + (Math.floor(k / 50) % 20)) / 100;
  return {
    graph: { dataset: `graph-${Math.floor(k / 1000)}`, sha256: "0" },
    split: null,
    model: { name: MODELS[k % MODELS.length], hyperparameters: { dropout: 0.5, hidden: [64], weightDecay: 0.001 } },
    attack: {
      name: ATTACKS[Math.floor(k / MODELS.length) % ATTACKS.length],
      options: { epochs: k },
      loss: "tanh-margin",
      objective: "accuracy",
      epsilon,
      budget: Math.round(8000 * epsilon),
      surrogate: null,
    },
    time: "evasion",
    nodes: "test",
    quantity: "accuracy",
    device: "cpu",
    code: { training: "t", attack: "a" },
  };
}

function seedsOf(cell: CellDescription) {
  return Array.from({ length: SEEDS }, (_, seed) => {
    const description = { cell, seed, splitHash: `split ${seed}` };
    const id = runId(description);
    return { id, description, work: id, batch: `batch ${seed}` };
  });
}

function finished(run: ReturnType<typeof seedsOf>[number], value: number): FinishedRun {
  return { ...run, outcome: { value, clean: 0.8, seconds: 1, peakBytes: 1e6, result: { value } }, finishedAt: 0 };
}

async function askAll(store: RunStore, { runs, ofStudy }: Record<"runs" | "ofStudy", number>): Promise<StoreAnswer[]> {
  const questions: Record<string, () => Promise<{ length: number }>> = {
    "list the first thousand": () => store.list(),
    "list those of a model and a graph": () => store.list({ model: ["gcn"], dataset: ["graph-0"] }),
    "list those of an attack with one seed": () => store.list({ attack: ["dice"], seed: [3] }),
    "count by state": async () => {
      const { done } = await store.count();
      check(done === runs, () => `bench store: ${done} of ${runs} runs are done`);
      return { length: 4 };
    },
    "average by model": () => store.aggregate({}, ["model"]),
    "average by model, attack and budget": () => store.aggregate({}, ["model", "attack", "epsilon"]),
    "average by graph, model, attack and budget": () => store.aggregate({}, ["dataset", "model", "attack", "epsilon"]),
    "average one graph by model and attack": () => store.aggregate({ dataset: ["graph-0"] }, ["model", "attack"]),
    "list those that failed": () => store.list({ state: ["failed"] }),
    "list those of a study": () => store.list({ study: STUDY, state: ["done"] }),
    "count those of a study": async () => {
      const { done } = await store.count({ study: STUDY });
      check(done === ofStudy, () => `bench store: ${done} of ${ofStudy} runs of the study are done`);
      return { length: 4 };
    },
    "average a study by model": () => store.aggregate({ study: STUDY }, ["model"]),
  };
  const answers: StoreAnswer[] = [];
  for (const [question, ask] of Object.entries(questions)) {
    const times: number[] = [];
    let rows = 0;
    for (let k = 0; k < 5; k++) {
      const begin = performance.now();
      rows = (await ask()).length;
      times.push(performance.now() - begin);
    }
    answers.push({ question, rows, milliseconds: times.sort((a, b) => a - b)[2] });
  }
  return answers;
}

/** Milliseconds that a run costs besides its measurement, in a full store. */
async function timeQueue(store: RunStore): Promise<number> {
  const runs = seedsOf({ ...cellOf(0), split: "new" });
  await store.addRuns("bench", runs);
  const begin = performance.now();
  for (const run of runs) {
    await store.take({ owner: "bench", leaseMs: 60_000 });
    const kept = await store.finish(run.id, "bench", finished(run, 0.5).outcome);
    check(kept, () => `bench store: the result of ${run.id} was not kept`);
  }
  return (performance.now() - begin) / runs.length;
}
