import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { percent, planRobustness, type RobustnessChoice, readRobustness } from "./robustness.ts";
import { openRunStore } from "./store/open-run-store.ts";

test("percentages are short", () => {
  expect([0.05, 0.1, 0.333, 1].map(percent)).toEqual(["5%", "10%", "33.3%", "100%"]);
});

describe("a comparison in a store", () => {
  const choice: RobustnessChoice = {
    dataset: { dataset: "synthetic-citation" },
    device: "cpu",
    models: ["gcn", "mlp"],
    attacks: { dice: {} },
    epsilons: [0.05, 0.1],
    seeds: [3, 4],
  };

  test("has every model on the clean graph and under every attack, or says what is missing", async () => {
    const store = await openRunStore(join(temporaryFolder(), "store.sqlite"));
    const plan = await planRobustness(choice);
    expect(plan.runs).toHaveLength(2 * (2 + 2 * 2));
    await store.addRuns(plan.study, plan.runs);
    const done = plan.runs.filter(({ description: { seed, cell } }) => seed === 3 || cell.attack === null);
    const result = { flips: { added: 300, removed: 99 }, attack: { seconds: 2 } };
    const outcome = (value: number) => ({ value, clean: 0.8, seconds: 1, peakBytes: 1, result });
    await store.merge(done.map((run, k) => ({ ...run, outcome: outcome(k / 10), finishedAt: 0 })));
    const [whole, half] = await readRobustness(store, plan, choice);
    await store.close();
    expect(whole.interrupted).toBe(false);
    expect(Object.keys(whole.clean)).toEqual(["gcn", "mlp"]);
    expect(whole.rows.map(({ attack, epsilon, numFlips, seconds }) => [attack, epsilon, numFlips, seconds])).toEqual([
      ["dice", 0.05, 399, 2],
      ["dice", 0.1, 399, 2],
    ]);
    expect(Object.keys(whole.rows[0].accuracy)).toEqual(["gcn", "mlp"]);
    expect([Object.keys(half.clean), half.rows, half.interrupted]).toEqual([["gcn", "mlp"], [], true]);
  });
  test("is another study if anything else is chosen", async () => {
    const names = [choice, choice, { ...choice, epsilons: [0.05] }].map(
      async (each) => (await planRobustness(each)).study,
    );
    const [first, same, other] = await Promise.all(names);
    expect(same).toBe(first);
    expect(other).not.toBe(first);
  });
});
