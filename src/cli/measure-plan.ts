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
  /** Of the store. */
  readonly place: string;
  /** Default: beside the store. */
  readonly artefacts?: string | undefined;
  readonly workers?: number | undefined;
  readonly threads?: number | undefined;
  readonly dataDir?: string | undefined;
}

/** Measures what a store does not hold of a plan, and shows on stderr how far it is. */
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

/** Makes a store hold a plan, and says what is not waited for any more. */
export async function planInto(store: RunStore, plan: Plan): Promise<void> {
  const count = await putPlan(store, plan);
  await takeBackCancel(store, plan.study);
  if (count > 0)
    console.error(`${plan.study}: ${count} runs that it does not have any more, and nobody has measured, are left out`);
}

/** By the ids of runs; those like which none was measured are left out. */
async function expectedSeconds(store: RunStore, { runs }: Plan): Promise<Map<string, number>> {
  const estimates = await estimateRuns(store, runs);
  return new Map(runs.flatMap(({ id }, k) => (estimates[k] ? [[id, estimates[k].seconds] as const] : [])));
}

/** Labels of the runs that the store has no result of. */
export async function missingRuns(store: RunStore, { study, runs }: Plan): Promise<Map<string, string>> {
  const done = new Set((await allRuns(store, { study, state: ["done"] })).map(({ id }) => id));
  return new Map(runs.filter(({ id }) => !done.has(id)).map(({ id, description }) => [id, runLabel(description)]));
}
