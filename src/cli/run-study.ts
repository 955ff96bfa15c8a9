import { Command } from "commander";
import { check, PartialFailure } from "../core/errors.ts";
import { formatBytes } from "../experiment/readable-numbers.ts";
import { type StudyReport, workersFor } from "../experiment/runner/run-study.ts";
import { openRunStore } from "../experiment/store/open-run-store.ts";
import type { Aggregate, RunStore } from "../experiment/store/store.ts";
import { measuringCode } from "../experiment/study/code-hash.ts";
import { estimateRuns } from "../experiment/study/estimate.ts";
import { type Plan, planStudy } from "../experiment/study/plan-study.ts";
import { runLabel } from "../experiment/study/run-label.ts";
import { parseStudy, readStudyText } from "../experiment/study/study-file.ts";
import { studySchema } from "../experiment/study/study-schema.ts";
import { left, right } from "../experiment/table-column.ts";
import type { Noise } from "../graph/noise/noise.ts";
import { noiseText } from "../graph/noise/noise-text.ts";
import { failureLines } from "./failure-lines.ts";
import { endIfInterrupted } from "./interrupt.ts";
import { type MeasurePlace, measurePlan, missingRuns, planInto } from "./measure-plan.ts";
import { given } from "./options.ts";
import { formatSeconds } from "./progress-bar.ts";
import { placeOf, type RunnerFlags, runnerOptions } from "./runner-options.ts";
import { PATIENCE } from "./store-place.ts";
import { formatMean, formatTable } from "./table.ts";

interface RunFlags extends RunnerFlags {
  readonly dryRun?: boolean;
  readonly add?: boolean;
  readonly schema?: boolean;
  readonly json?: boolean;
}

/** `rgnn run study.yaml` */
export function runStudyCommand(): Command {
  const command = new Command("run")
    .description("Measure every run of a study; started again, it goes on where it was")
    .argument("[study]", "a study file (see docs/guide/studies.md)");
  return runnerOptions(command)
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
  const place = placeOf(flags);
  const text = readStudyText(file);
  const plan = await planStudy(parseStudy(text, file), given({ dataDir: flags.dataDir }));
  const store = await openRunStore(flags.store, PATIENCE);
  try {
    if (flags.dryRun) return console.log(await describePlan(store, plan, flags));
    await store.keepText(plan.study, text); // so that the dashboard can start it as well
    if (flags.add) await add(store, plan, flags);
    else await measure(store, plan, place, flags);
  } finally {
    await store.close();
  }
}

async function add(store: RunStore, plan: Plan, { json }: RunFlags): Promise<void> {
  const { study, runs } = plan;
  await planInto(store, plan);
  const counts = await store.count({ study });
  console.log(
    json
      ? JSON.stringify({ study, runs: counts })
      : `${study}: ${runs.length} runs, ${counts.waiting} of them wait in ${store.name}`,
  );
}

async function measure(store: RunStore, plan: Plan, place: MeasurePlace, { json }: RunFlags): Promise<void> {
  const report = await measurePlan(store, plan, place);
  const cells = await store.aggregate({ study: plan.study, code: measuringCode() }, [...SHOWN], MOST_ROWS);
  console.log(json ? JSON.stringify({ ...report, cells }) : describe(plan, report, cells));
  endWith(report, plan);
}

/** The exit code says whether all runs are done. */
function endWith({ failed, waiting, interrupted }: StudyReport, { runs }: Plan): void {
  endIfInterrupted(interrupted && waiting > 0);
  if (failed.length > 0)
    throw new PartialFailure(`${failed.length} of ${runs.length} runs failed; the same command tries them again`);
  if (waiting > 0)
    throw new PartialFailure(`${waiting} runs are left to other processes; the same command goes on with them`);
}

/** Most rows of the table: more than anybody reads. */
const MOST_ROWS = 100_000;

const SHOWN = [
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
] as const;

/** Columns that are shown only if their values differ. */
const SOMETIMES = ["split", "objective", "quantity", "device"] as const;

function describe(plan: Plan, { done, failed, waiting }: StudyReport, cells: readonly Aggregate[]): string {
  const { runs } = plan;
  const telling = SOMETIMES.filter((column) => new Set(cells.map(({ group }) => group[column])).size > 1);
  const measured = telling.includes("quantity") ? "value" : (cells[0]?.group.quantity ?? "value");
  const columns = [
    ...["dataset", "model", "attack", "loss"].map(left),
    ...["epsilon", "budget", "from", "clean", measured, "runs"].map(right),
    ...telling.map(left),
  ];
  const rows = cells.map(({ group, count, mean, standardError, cleanMean }) => [
    group.dataset!,
    group.model!,
    attackText(group.attack!, group.options!),
    group.loss!,
    String(group.epsilon),
    String(group.budget),
    group.surrogate === "" ? "victim" : group.surrogate!,
    cleanMean.toFixed(4),
    formatMean(mean, standardError),
    String(count),
    ...telling.map((column) => group[column]!),
  ]);
  return [
    formatTable(columns, rows),
    "",
    `${done} of ${runs.length} runs are done${waiting > 0 ? `, ${waiting} wait` : ""}. Values: mean ± standard error over seeds.`,
    ...failureLines(plan, failed),
  ].join("\n");
}

/** The name of an attack; certificates are told apart by their noise. */
function attackText(attack: string, options: string): string {
  return attack === "certificate" ? `${attack}: ${noiseText(JSON.parse(options) as Noise)}` : attack;
}

/** Every run with its expected time and memory, and the totals. */
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
