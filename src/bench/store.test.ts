import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { silent } from "../core/progress.ts";
import { benchStore } from "./store.ts";

test("the benchmark of the store fills one that is named, and refuses it when it is not empty", async () => {
  const place = join(temporaryFolder(), "store.sqlite");
  expect((await benchStore(silent, { place, runs: 100 })).runs).toBe(100);
  await expect(benchStore(silent, { place, runs: 100 })).rejects.toThrow(/holds 110 runs; name an empty one/);
});

test("the benchmark of the store asks a store that holds as many runs as it says", async () => {
  const { runs, answers, millisecondsPerRun } = await benchStore(silent, { runs: 2000 });
  expect(runs).toBe(2000);
  const rows = Object.fromEntries(answers.map((answer) => [answer.question, answer.rows]));
  expect(rows).toMatchObject({
    "list the first thousand": 1000,
    "list those of a model and a graph": 200,
    "list those of an attack with one seed": 40,
    "average by model": 10,
  });
  expect(millisecondsPerRun).toBeLessThan(50);
});
