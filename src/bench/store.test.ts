import { expect, test } from "vitest";
import { silent } from "../core/progress.ts";
import { benchStore } from "./store.ts";

test("the benchmark of the store asks a store that holds as many runs as it says", async () => {
  const { runs, answers, millisecondsPerRun } = await benchStore(silent, 2000);
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
