import { describe, expect, test } from "vitest";
import { compareRobustness, percent, type RobustnessResult } from "./robustness.ts";
import { robustnessChart, robustnessPage } from "./robustness-report.ts";
import { openSession } from "./session.ts";

const plan = { models: ["gcn", "mlp"], attacks: { dice: {} }, epsilons: [0.05, 0.1], seed: 3 };
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

test("a comparison that is ended during its first training holds that model alone", async () => {
  const session = await openSession({ dataset: "synthetic-citation", threads: 1 });
  const controller = new AbortController();
  const begun: string[] = [];
  const steps = {
    begin(what: string) {
      begun.push(what);
      return { update: () => controller.abort() }; // after the first epoch
    },
    end() {},
  };
  try {
    const { clean, rows, interrupted } = await compareRobustness(session, plan, steps, controller.signal);
    expect(begun).toEqual(["train gcn"]);
    expect([Object.keys(clean), rows, interrupted]).toEqual([["gcn"], [], true]);
  } finally {
    await session.close();
  }
});
