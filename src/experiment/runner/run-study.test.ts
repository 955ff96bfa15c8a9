import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { planStudy } from "../study/plan-study.ts";
import { parseStudy } from "../study/study-file.ts";
import { putPlan, takeBackCancel } from "./put-plan.ts";
import { runStudy } from "./run-study.ts";

const planOf = (seeds: string) =>
  planStudy(
    parseStudy(
      `name: small\ndatasets: synthetic-citation\nmodels: { name: sgc, maxEpochs: 2 }\nseeds: ${seeds}`,
      "s.yaml",
    ),
  );

async function emptyStore() {
  const folder = temporaryFolder();
  const place = join(folder, "store.sqlite");
  const options = { place, artefacts: join(folder, "artefacts"), workers: 1, threads: 1 };
  return { store: await openRunStore(place), options };
}

test("a study measures what its file has now, not what it had before", async () => {
  const { store, options } = await emptyStore();
  await putPlan(store, await planOf("[0, 1, 2]"));
  const [failing] = (await store.take({ owner: "me", leaseMs: 60_000 }))!;
  await store.fail(failing.id, "me", "does not fit", false);
  const plan = await planOf("[1, 3]");
  expect(await runStudy(store, plan, options)).toEqual({
    study: "small",
    done: 2,
    failed: [],
    waiting: 0,
    interrupted: false,
  });
  expect((await store.list()).map(({ seed, state }) => [seed, state])).toEqual([
    [1, "done"],
    [3, "done"],
  ]);
  await store.close();
});

test("a study that is planned again is not cancelled any more, and what it should do otherwise stays", async () => {
  const { store } = await emptyStore();
  await putPlan(store, await planOf("[0]"));
  for (const [wish, left] of [
    ["cancel", null],
    ["pause", "pause"],
  ] as const) {
    await store.wish("small", wish);
    await takeBackCancel(store, "small");
    expect((await store.studies(["small"]))[0].wish).toBe(left);
  }
  await store.close();
});

test("a study waits for the runs that others are at, and measures those that come back", async () => {
  const { store, options } = await emptyStore();
  const plan = await planOf("[0, 1]");
  await putPlan(store, plan);
  await store.take({ owner: "elsewhere", leaseMs: 60_000 });
  setTimeout(() => store.handBack("elsewhere"), 1500);
  const report = await runStudy(store, plan, options);
  expect(report).toMatchObject({ done: 2, waiting: 0, interrupted: false });
  await store.close();
});
