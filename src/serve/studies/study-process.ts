// A process that plans and runs one study, so that the server stays responsive. It ends when the server does.
import { UserError } from "../../core/errors.ts";
import { takeBackCancel } from "../../experiment/runner/put-plan.ts";
import { runStudy } from "../../experiment/runner/run-study.ts";
import type { WorkEvent } from "../../experiment/runner/work-through.ts";
import { openRunStore } from "../../experiment/store/open-run-store.ts";
import type { RunStore } from "../../experiment/store/store.ts";
import { type Plan, planStudy } from "../../experiment/study/plan-study.ts";
import { runLabel } from "../../experiment/study/run-label.ts";
import { parseStudy } from "../../experiment/study/study-file.ts";
import type { StudyMessage, StudyTask } from "./study-messages.ts";

const stop = new AbortController();
const say = (message: StudyMessage) =>
  new Promise<void>((resolve) => (process.connected ? process.send!(message, () => resolve()) : resolve()));
process.on("SIGINT", () => {}); // a terminal sends Ctrl-C to this process too; only the server reacts to it
process.on("disconnect", () => process.exit(1));
process.once("message", (task: StudyTask) => {
  process.on("message", () => stop.abort());
  perform(task)
    .catch((error: Error) => say({ kind: "failed", error: error.message, isMistake: error instanceof UserError }))
    .then(() => process.exit(0));
});

/** How long to wait for a database server that went away, as in rgnn run. */
const PATIENCE = { milliseconds: 600_000, tell: (line: string) => console.error(line) };

async function perform(task: StudyTask): Promise<void> {
  const store = await openRunStore(task.place, PATIENCE);
  if (task.isToRun) await run(store, task);
  else await add(store, task.text);
  await store.close();
}

async function add(store: RunStore, text: string): Promise<void> {
  const { study, runs } = await planStudy(parseStudy(text, "study"));
  await store.keepText(study, text);
  await store.addRuns(study, runs);
  await takeBackCancel(store, study);
  await say({ kind: "planned", study });
}

async function run(store: RunStore, { place, artefacts, text, workers }: StudyTask): Promise<void> {
  const plan = await planNewest(store, text);
  const labels = new Map(plan.runs.map(({ id, description }) => [id, runLabel(description)]));
  const tell = (worker: number, event: WorkEvent) => {
    const label = event.kind === "began" ? (labels.get(event.run) ?? event.run) : "";
    void say({ kind: "work", worker, event, label });
  };
  const options = { place, artefacts, signal: stop.signal, tell, ...(workers !== undefined && { workers }) };
  await say({ kind: "ended", report: await runStudy(store, plan, options) });
}

/** Plans a study. If a newer text of it was posted meanwhile, plans that one instead. */
async function planNewest(store: RunStore, text: string): Promise<Plan> {
  const plan = await planStudy(parseStudy(text, "study"));
  const [record] = await store.studies([plan.study]);
  const newest = record?.text ?? text;
  return newest === text ? plan : planNewest(store, newest);
}
