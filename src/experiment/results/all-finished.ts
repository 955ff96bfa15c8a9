import type { FinishedRun, RunFilter, RunStore } from "../store/store.ts";

const PAGE = 5000;

/** Every finished run that matches a filter, in full, read page by page. */
export async function* allFinished(store: RunStore, filter: RunFilter = {}): AsyncGenerator<FinishedRun> {
  for (let after = 0; ; ) {
    const page = await store.finished(filter, { limit: PAGE, after });
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)!.number;
  }
}
