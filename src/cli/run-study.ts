import { dirname, join } from "node:path";
import { Command } from "commander";
import { check, PartialFailure } from "../core/errors.ts";
import { formatBytes } from "../experiment/readable-numbers.ts";
import { runStudy, type StudyReport, workersFor } from "../experiment/runner/run-study.ts";
import type { WorkEvent } from "../experiment/runner/work-through.ts";
import { isServer, openRunStore } from "../experiment/store/open-run-store.ts";
import type { Aggregate, RunStore } from "../experiment/store/store.ts";
import { estimateRuns } from "../experiment/study/estimate.ts";
import { type Plan, planStudy } from "../experiment/study/plan-study.ts";
import { runLabel } from "../experiment/study/run-label.ts";
import { readStudy } from "../experiment/study/study-file.ts";
import { studySchema } from "../experiment/study/study-schema.ts";
import { left, right } from "../experiment/table-column.ts";
import { endIfInterrupted, interruptible } from "./interrupt.ts";
import { JobLines } from "./job-lines.ts";
import { wholeNumber } from "./number-options.ts";
import { given } from "./options.ts";
import { formatSeconds } from "./progress-bar.ts";
import { formatMean, formatTable } from "./table.ts";

/** Where results go unless told otherwise. */
export const DEFAULT_STORE = "rgnn-results/store.sqlite";

interface RunFlags {
  readonly store: string;
  readonly artefacts?: string;
  readonly workers?: number;
  readonly dataDir?: string;
  readonly dryRun?: boolean;
  readonly add?: boolean;
  readonly schema?: boolean;
  readonly json?: boolean;
}

/** `rgnn run study.yaml` */
export function runStudyCommand(): Command {
  return new Command("run")
    .description("Measure every run of a study; started again, it goes on where it was")
    .argument("[study]", "a study file (see docs/guide/studies.md)")
    .option("--store <place>", "a file, or postgres://user:password@host/database", DEFAULT_STORE)
    .option("--artefacts <folder>", "trained models and flips (default: artefacts beside the store)")
    .option(
      "--workers <n>",
      "processes (default: one per core on small graphs, one on large graphs or a GPU)",
      wholeNumber,
    )
    .option("--data-dir <folder>", "look here before $RGNN_DATA and the cache folder")
    .option("--dry-run", "list the runs and what they will take, judging by earlier ones; measure nothing")
    .option("--add", "only add the runs to the store, for workers (rgnn worker) to measure")
    .option("--schema", "print the JSON schema of study files, for editors")
    .option("--json", "print one JSON object instead of a table")
    .addHelpText("after", "\nExample:\n  rgnn run studies/quick-transfer.yaml --dry-run")
    .action(run);
}

async function run(file: string | undefined, flags: RunFlags): Promise<void> {
  if (flags.schema) return console.log(JSON.stringify(studySchema()));
  check(file !== undefined, () => "rgnn run needs a study file, such as studies/quick-transfer.yaml");
  check(flags.workers === undefined || flags.workers > 0, () => `--workers must be 1 or more, got ${flags.workers}`);
  const plan = await planStudy(readStudy(file), given({ dataDir: flags.dataDir }));
  const store = await openRunStore(flags.store);
  try {
    if (flags.dryRun) console.log(await describePlan(store, plan, flags));
    else if (flags.add) await add(store, plan, flags);
    else await measure(store, plan, flags);
  } finally {
    await store.close();
  }
}

async function add(store: RunStore, { study, runs }: Plan, { json }: RunFlags): Promise<void> {
  await store.addRuns(study, runs);
  await store.tryAgain(study);
  const counts = await store.count({ study });
  console.log(
    json
      ? JSON.stringify({ study, runs: counts })
      : `${study}: ${runs.length} runs, ${counts.waiting} of them wait in ${store.name}`,
  );
}

async function measure(store: RunStore, plan: Plan, flags: RunFlags): Promise<void> {
  const { store: place, workers, dataDir, json, artefacts = artefactsBeside(place) } = flags;
  await store.addRuns(plan.study, plan.runs);
  const labels = await missingRuns(store, plan);
  console.error(`${plan.study}: ${plan.runs.length} runs, ${plan.runs.length - labels.size} of them in ${store.name}`);
  const lines = new JobLines(labels);
  const tell = (worker: number, event: WorkEvent) => lines.tell(worker, event);
  const options = { place, artefacts, ...given({ workers, dataDir }), tell };
  const report = await interruptible((signal) => runStudy(store, plan, { ...options, signal }));
  lines.clear();
  const cells = await store.aggregate({ study: plan.study }, [...SHOWN]);
  console.log(json ? JSON.stringify({ ...report, cells }) : describe(plan, report, cells));
  endIfInterrupted(report.waiting > 0);
  const failed = `${report.failed.length} of ${plan.runs.length} runs failed; the same command tries them again`;
  if (report.failed.length > 0) throw new PartialFailure(failed);
}

/** Trained models and flips of a store lie beside it; those of a server in a folder of their own. */
export function artefactsBeside(place: string): string {
  return join(isServer(place) ? dirname(DEFAULT_STORE) : dirname(place), "artefacts");
}

/** Labels of the runs that the store has no result of. */
export async function missingRuns(store: RunStore, { study, runs }: Plan): Promise<Map<string, string>> {
  const done = new Set<string>();
  for (let after = 0; ; ) {
    const page = await store.list({ study, state: ["done"] }, { limit: 10_000, after });
    for (const { id } of page) done.add(id);
    if (page.length === 0) break;
    after = page.at(-1)!.number;
  }
  return new Map(runs.filter(({ id }) => !done.has(id)).map(({ id, description }) => [id, runLabel(description)]));
}

const SHOWN = [
  "dataset",
  "model",
  "hyperparameters",
  "attack",
  "options",
  "loss",
  "epsilon",
  "budget",
  "surrogate",
  "time",
] as const;

function describe({ runs }: Plan, { done, failed, waiting }: StudyReport, cells: readonly Aggregate[]): string {
  const columns = [
    ...["dataset", "model", "attack", "loss"].map(left),
    ...["epsilon", "budget", "from", "clean", "accuracy", "runs"].map(right),
  ];
  const rows = cells.map(({ group, count, mean, standardError, cleanMean }) => [
    group.dataset!,
    group.model!,
    group.attack!,
    group.loss!,
    String(group.epsilon),
    String(group.budget),
    group.surrogate === "" ? "victim" : group.surrogate!,
    cleanMean.toFixed(4),
    formatMean(mean, standardError),
    String(count),
  ]);
  const labels = new Map(runs.map(({ id, description }) => [id, runLabel(description)]));
  const errors = failed.map(({ run, error, attempts }) => `  ${labels.get(run)} (tried ${attempts} times): ${error}`);
  return [
    formatTable(columns, rows),
    "",
    `${done} of ${runs.length} runs are done${waiting > 0 ? `, ${waiting} wait` : ""}. Accuracy: mean ± standard error over seeds.`,
    ...(errors.length > 0 ? [`${errors.length} failed:`, ...errors] : []),
  ].join("\n");
}

/** Every run with what it will take, and what all of them will take together. */
async function describePlan(store: RunStore, plan: Plan, { workers: asked, json }: RunFlags): Promise<string> {
  const { runs, study } = plan;
  const missing = await missingRuns(store, plan);
  const estimates = await estimateRuns(store, runs);
  const { workers, threads } = await workersFor(store, plan, given({ workers: asked }));
  const waiting = runs.map(({ id }, k) => (missing.has(id) ? estimates[k] : { seconds: 0, peakBytes: 0 }));
  const known = waiting.filter((estimate) => estimate !== null);
  const seconds = known.reduce((sum, estimate) => sum + estimate.seconds, 0) / workers;
  const peakBytes = Math.max(0, ...known.map((estimate) => estimate.peakBytes));
  const unknown = waiting.length - known.length;
  if (json) {
    const list = runs.map(({ id, description }, k) => ({
      id,
      label: runLabel(description),
      done: !missing.has(id),
      estimate: estimates[k],
    }));
    return JSON.stringify({ study, runs: list, seconds, peakBytes, unknown, workers, threads });
  }
  const columns = [left("run"), right("seconds"), right("memory")];
  const rows = runs.map(({ id, description }, k) => [
    runLabel(description),
    missing.has(id) ? (estimates[k]?.seconds.toFixed(1) ?? "?") : "done",
    missing.has(id) && estimates[k] ? formatBytes(estimates[k].peakBytes) : "",
  ]);
  const about = `about ${formatSeconds(seconds)} with ${workers} processes of ${threads} threads, up to ${formatBytes(peakBytes)} each`;
  const few = unknown > 0 ? `; nothing like ${unknown} of them was measured before` : "";
  return `${formatTable(columns, rows)}\n\n${runs.length} runs, ${missing.size} still to be measured: ${about}${few}.`;
}
