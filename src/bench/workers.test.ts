import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { silent } from "../core/progress.ts";
import { openRunStore } from "../experiment/store/open-run-store.ts";
import { benchWorkers } from "./workers.ts";

test("the benchmark of workers measures all of its runs, and says what a run takes beside measuring", async () => {
  const place = join(temporaryFolder(), "store.sqlite");
  const { rates } = await benchWorkers(silent, { place, numbers: [1, 2], budgets: 3 });
  expect(rates.map(({ workers, runs }) => [workers, runs])).toEqual([
    [1, 12],
    [2, 12],
  ]);
  const store = await openRunStore(place);
  const kept = await store.list();
  await store.close();
  expect(kept.map(({ state }) => state)).toEqual(Array(24).fill("done"));
  const [{ seconds, overheadMs }] = rates;
  const measuring = kept.filter(({ seed }) => seed < 200).reduce((sum, run) => sum + run.seconds!, 0);
  expect(overheadMs).toBeCloseTo((1000 * (seconds - measuring)) / 12, 6);
  expect(overheadMs).toBeGreaterThan(0);
  await expect(benchWorkers(silent, { place, numbers: [1], budgets: 3 })).rejects.toThrow(/holds runs of it already/);
});
