import { compareModels } from "../../experiment/results/compare-models.ts";
import { groupResults } from "../../experiment/results/group-results.ts";
import { releaseDead } from "../../experiment/runner/owner.ts";
import type {
  CellColumn,
  ColumnValues,
  RunFilter,
  RunRow,
  RunState,
  RunStore,
  SortedPage,
  StudyRecord,
  StudyWish,
} from "../../experiment/store/store.ts";
import { runLabel } from "../../experiment/study/run-label.ts";
import type { RunDetails, RunPage } from "../protocol.ts";

/** Most runs in one answer about changes; if there are more, clients load their lists again. */
const MOST_RUNS = 500;

/** Most failed runs shown with a study. */
const MOST_FAILURES = 100;

/** A page of a list of runs. `after` is how many runs to skip; without `sort`, the number of the last run before it. */
export interface RunQuery {
  readonly filter: RunFilter;
  readonly sort: Pick<SortedPage, "by" | "isDescending"> | null;
  readonly limit: number;
  readonly after: number;
}

/** What the server can ask the thread of a store. */
export type StoreAnswers = ReturnType<typeof storeAnswers>;

export function storeAnswers(store: RunStore) {
  return {
    name: async () => store.name,
    lastChange: () => store.lastChange(),
    studies: (names?: readonly string[]) => store.studies(names),
    wishes: () => store.wishes(),
    owners: () => store.owners(),
    wish: (study: string, wish: StudyWish, error?: string) => store.wish(study, wish, error),
    keepText: (study: string, text: string) => store.keepText(study, text),
    touch: (study: string) => store.touch(study),
    releaseDead: () => releaseDead(store),
    dropWaiting: (study: string) => store.dropWaiting(study),
    values: (filter: RunFilter) => store.values(filter),
    results: (filter: RunFilter, by: readonly CellColumn[], limit: number) => groupResults(store, filter, by, limit),
    compare: (filter: RunFilter, models: readonly [string, string]) => compareModels(store, filter, models),

    /** Everything after change `since`, with the studies and workers as they are now. */
    async changes(since: number) {
      const { number, runs, studies, isMore } = await store.changesSince(since, MOST_RUNS);
      return { number, runs, isMore, studies: await store.studies(studies), owners: await store.owners() };
    },

    async runs({ filter, sort, limit, after }: RunQuery): Promise<RunPage> {
      const more = limit + 1; // one more says whether there is a next page
      const rows = sort
        ? await store.sorted(filter, { ...sort, limit: more, offset: after })
        : await store.list(filter, { limit: more, after });
      const runs = rows.slice(0, limit);
      const next = sort ? after + limit : runs.at(-1)?.number;
      return { runs, next: rows.length > limit ? String(next) : null, counts: await store.count(filter) };
    },

    async run(id: string): Promise<RunDetails | null> {
      const run = await store.run(id);
      return run && { ...run, label: runLabel(run.description) };
    },

    async study(name: string): Promise<StudyInFull | null> {
      const [record] = await store.studies([name]);
      if (!record) return null;
      const failed: readonly RunState[] = ["failed"];
      const failures = await store.list({ study: name, state: failed }, { limit: MOST_FAILURES });
      const values = Object.entries(await store.values({ study: name })).filter(([, each]) => each.length > 1);
      return { record, failures, values: Object.fromEntries(values) };
    },
  };
}

/** What the page of a study shows. */
export interface StudyInFull {
  readonly record: StudyRecord;
  readonly failures: readonly RunRow[];
  readonly values: Partial<ColumnValues>;
}
