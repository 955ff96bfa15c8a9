import type { RunStore } from "../store/store.ts";
import type { Plan } from "../study/plan-study.ts";

/** A study that somebody plans again is not cancelled any more: a server that starts later would drop its runs. */
export async function takeBackCancel(store: RunStore, study: string): Promise<void> {
  const [record] = await store.studies([study]);
  if (record?.wish === "cancel") await store.wish(study, null);
}

/**
 * Makes a store hold a plan: runs that it lacks wait, and those that failed wait again. What its study had before and the plan has no more,
 * because the file or the code has changed, is not measured; returns how many runs those are.
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
