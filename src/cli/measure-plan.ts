import { allRuns } from "../experiment/results/group-results.ts";
import { putPlan, takeBackCancel } from "../experiment/runner/put-plan.ts";
import { runStudy, type StudyReport } from "../experiment/runner/run-study.ts";
import type { RunStore } from "../experiment/store/store.ts";
import { estimateRuns } from "../experiment/study/estimate.ts";
import type { Plan } from "../experiment/study/plan-study.ts";
import { runLabel } from "../experiment/study/run-label.ts";
import { interruptible } from "./interrupt.ts";
import { JobLines } from "./job-lines.ts";
import { given } from "./options.ts";
import { artefactsBeside } from "./store-place.ts";

/** Where a plan is measured. */
export interface MeasurePlace {
  /** Where the store is. */
  readonly place: string;
  /** Default: beside the store. */
  readonly artefacts?: string | undefined;
  readonly workers?: number | undefined;
  readonly threads?: number | undefined;
  readonly dataDir?: string | undefined;
}

/** Measures the runs of a plan that have no result in the store, and shows progress on stderr. */
export async function measurePlan(store: RunStore, plan: Plan, where: MeasurePlace): Promise<StudyReport> {
  const { place, artefacts = artefactsBeside(place), workers, threads, dataDir } = where;
  await planInto(store, plan);
  const labels = await missingRuns(store, plan);
  const { study, runs } = plan;
  console.error(`${study}: ${runs.length} runs, ${runs.length - labels.size} of them in ${store.name}`);
  const lines = new JobLines(labels, await expectedSeconds(store, plan));
  const report = await interruptible((signal) =>
    runStudy(store, plan, {
      place,
      artefacts,
      ...given({ workers, threads, dataDir }),
      signal,
      tell: (worker, event) => lines.tell(worker, event),
    }),
  );
  lines.clear();
  return report;
}

/** Adds a plan to a store, and says on stderr how many runs of earlier plans of the study are left out. */
export async function planInto(store: RunStore, plan: Plan): Promise<void> {
  const count = await putPlan(store, plan);
  await takeBackCancel(store, plan.study);
  if (count > 0) console.error(`${plan.study}: ${count} unmeasured runs no longer belong to the study and are removed`);
}

/** Expected seconds by id of run, without the runs for which no similar one was measured. */
async function expectedSeconds(store: RunStore, { runs }: Plan): Promise<Map<string, number>> {
  const estimates = await estimateRuns(store, runs);
  return new Map(runs.flatMap(({ id }, k) => (estimates[k] ? [[id, estimates[k].seconds] as const] : [])));
}

/** Labels, by id, of the runs without a result in the store. */
export async function missingRuns(store: RunStore, { study, runs }: Plan): Promise<Map<string, string>> {
  const done = new Set((await allRuns(store, { study, state: ["done"] })).map(({ id }) => id));
  return new Map(runs.filter(({ id }) => !done.has(id)).map(({ id, description }) => [id, runLabel(description)]));
}
