import type { RunStore } from "../store/store.ts";
import type { Plan } from "../study/plan-study.ts";

/**
 * Takes back the cancelling of a study that is planned again: otherwise a server that starts later would drop its runs.
 */
export async function takeBackCancel(store: RunStore, study: string): Promise<void> {
  const [record] = await store.studies([study]);
  if (record?.wish === "cancel") await store.wish(study, null);
}

/**
 * Puts a plan into a store: missing runs are added, and failed ones wait again. Runs of the study that are no longer in
 * the plan, because the file or the code has changed, are left out; returns their number.
 */
export async function putPlan(store: RunStore, { study, runs }: Pick<Plan, "study" | "runs">): Promise<number> {
  await store.addRuns(study, runs);
  const leftOut = await store.leaveOut(
    study,
    runs.map(({ id }) => id),
  );
  await store.tryAgain(study);
  return leftOut;
}
