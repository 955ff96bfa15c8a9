import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { percent, planRobustness, type RobustnessChoice, type RobustnessResult, readRobustness } from "./robustness.ts";
import { robustnessChart, robustnessPage } from "./robustness-report.ts";
import { openRunStore } from "./store/open-run-store.ts";

const result: RobustnessResult = {
  clean: { gcn: 0.82, mlp: 0.55 },
  rows: [
    { attack: "dice", epsilon: 0.05, numFlips: 399, seconds: 0.25, accuracy: { gcn: 0.8, mlp: 0.55 } },
    { attack: "prbcd", epsilon: 0.1, numFlips: 798, seconds: 9, accuracy: { gcn: 0.61, mlp: 0.55 } },
  ],
  interrupted: false,
};

const pageOf = (shown: RobustnessResult) => robustnessPage({ title: "R", seeds: [3], result: shown, chart: "" });

describe("the report of a comparison", () => {
  test("draws a panel per attack and a curve per model", async () => {
    const chart = await robustnessChart(result, "Robustness");
    expect(chart).toMatch(/^<svg/);
    for (const word of ["dice", "prbcd", "gcn", "mlp", "test accuracy"]) expect(chart).toContain(`>${word}<`);
  });
  test("is a page of its own with every number", () => {
    const page = robustnessPage({ title: "Robustness", seeds: [3], result, chart: "<svg></svg>" });
    for (const cell of ["0.820", "0.550", "0.800", "0.610", "399", "798", "10%"])
      expect(page).toContain(`<td>${cell}</td>`);
    expect(page).not.toMatch(/(?:src|href)=/); // loads nothing from elsewhere
    expect(page).not.toContain("interrupted");
  });
  test("says that rows are missing if the run was interrupted", () => {
    expect(pageOf({ ...result, interrupted: true })).toContain("The run was interrupted");
  });
  test("can be made of a run that was ended before its first attack", async () => {
    const early: RobustnessResult = { clean: { gcn: 0.7 }, rows: [], interrupted: true };
    expect(await robustnessChart(early, "R")).toMatch(/^<svg/);
    expect(pageOf(early)).toContain("<td>0.700</td>");
  });
});

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
