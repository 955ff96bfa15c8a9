import type { FinishedRun, MergeReport, RunFilter, RunStore } from "../store/store.ts";
import { allFinished } from "./all-finished.ts";
import { NewestRuns } from "./newest-runs.ts";

/** Runs that are merged at once. */
const PART = 5000;

/** Which runs are taken over: all, unless told otherwise. */
export interface MergeChoice {
  /** Leave out runs that a newer run with other code replaces. */
  readonly newestOnly?: boolean;
  /** Only runs that were measured by one of these versions of the code. */
  readonly code?: readonly string[];
}

/**
 * Takes over the finished runs of another store and their studies. Other runs are not taken over, so merging into a new
 * store cleans one up.
 */
export async function mergeStores(
  into: RunStore,
  from: RunStore,
  { newestOnly = false, code }: MergeChoice = {},
): Promise<MergeReport> {
  const chosen: RunFilter = code === undefined ? {} : { code };
  const newest = new NewestRuns();
  if (newestOnly) for await (const run of allFinished(from)) newest.add(run);
  let added = 0;
  const differing = new Set<string>();
  const takeOver = async (part: readonly FinishedRun[]) => {
    const report = await into.merge(part);
    added += report.added;
    for (const id of report.differing) differing.add(id);
  };
  for await (const part of wantedRuns(from, newest, chosen)) await takeOver(part);
  for (const { name, text } of await from.studies()) {
    for await (const part of wantedRuns(from, newest, { ...chosen, study: name })) {
      await takeOver(part); // workers of the other store may have finished more of them since
      await into.addRuns(name, part);
    }
    const [here] = await into.studies([name]);
    if (text !== null && here?.text === null) await into.keepText(name, text);
  }
  return { added, differing: [...differing] };
}

async function* wantedRuns(from: RunStore, newest: NewestRuns, filter: RunFilter): AsyncGenerator<FinishedRun[]> {
  let part: FinishedRun[] = [];
  for await (const run of allFinished(from, filter)) {
    if (newest.isReplaced(run)) continue;
    part.push(run);
    if (part.length < PART) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
