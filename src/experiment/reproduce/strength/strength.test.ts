import { describe, expect, test } from "vitest";
import { measuredRun } from "../../../../test/support/measured-runs.ts";
import { globalAttacks } from "../../../attack/global-attacks.ts";
import { resolveOptions } from "../../../core/options/index.ts";
import { modelKinds } from "../../../defense/model-kinds.ts";
import { keyOfExperiment } from "../experiment.ts";
import { reportMarkdown } from "../report.ts";
import { Results } from "../results.ts";
import { PeerValues } from "./peer.ts";
import { DATASETS, type StrengthCell, strengthCells, strengthExperiment, strengthParts } from "./plan.ts";
import { strengthReport } from "./strength.ts";

const peers = new PeerValues(`dataset,seed,epsilon,clean,adversarial,flips
cora_ml,0,0.05,0.8000,0.7000,
cora_ml,1,0.05,0.8100,0.7100,3
cora_ml,0,0.5,0.8000,0.3000,
`);
const choice = { datasets: DATASETS, seeds: [0, 1] };

/** What is said of these measurements: [seed, model, attack, epsilon, accuracy, clean accuracy]. */
function reportOf(values: readonly [number, string, string, number, number, number?][], chosen: object = {}) {
  const runs = values.map(([seed, model, attack, epsilon, value, clean = 0.8]) => {
    const experiment = strengthExperiment({ dataset: "cora_ml", model, attack, epsilon });
    return measuredRun(experiment, seed, value, { clean, seconds: 10 * epsilon });
  });
  return strengthReport({ ...choice, ...chosen }, new Results(runs), peers);
}

describe("the plan of strength", () => {
  test("names only models, attacks and options that exist", () => {
    for (const cell of strengthCells(choice)) {
      const { surrogate, attacks, models } = strengthExperiment(cell);
      const [{ name, options }] = attacks!;
      expect(Object.keys(modelKinds)).toEqual(
        expect.arrayContaining([models[0].name, ...(surrogate ? [surrogate.name] : [])]),
      );
      resolveOptions(name, globalAttacks[name].options, options);
    }
  });
  test("tells all its cells apart", () => {
    const cells = strengthCells({ ...choice, seeds: [0] });
    expect(new Set(cells.map((cell) => keyOfExperiment(strengthExperiment(cell)))).size).toBe(cells.length);
  });
  test("has the GCN on three graphs at five budgets, the others on two at three", () => {
    const count = (keep: (cell: StrengthCell) => boolean) =>
      strengthCells({ ...choice, seeds: [0] }).filter(keep).length;
    expect(count(({ model, attack }) => model === "gcn" && attack === "prbcd")).toBe(15);
    expect(count(({ model, attack }) => model === "svd-gcn" && attack === "transfer-polish")).toBe(6);
  });
  test("can be limited to some models, attacks and budgets", () => {
    const parts = { ...strengthParts, models: ["gcn", "gdc"], attacks: ["prbcd-polish"], epsilons: [0.1] };
    const cells = strengthCells({ datasets: ["citeseer"], seeds: [5], parts });
    expect(cells).toEqual([
      { dataset: "citeseer", seed: 5, model: "gcn", attack: "prbcd-polish", epsilon: 0.1 },
      { dataset: "citeseer", seed: 5, model: "gdc", attack: "prbcd-polish", epsilon: 0.1 },
    ]);
  });
});

describe("the values of PyTorch Geometric", () => {
  test("are there for every graph, seed and budget of the plan", () => {
    const recorded = PeerValues.load();
    for (const cell of strengthCells({ datasets: DATASETS, seeds: [0, 1, 5] })) {
      if (cell.model === "gcn") expect(recorded.get(cell)?.adversarial).toBeGreaterThan(0.1);
    }
    expect(recorded.get({ dataset: "cora_ml", seed: 0, epsilon: 1 })).toEqual({ clean: 0.8206, adversarial: 0.1763 });
  });
  test("are refused where a line is something else", () => {
    expect(() => new PeerValues("dataset,seed\ncora_ml,0\n")).toThrow('"cora_ml,0" is no line of accuracies');
  });
});

describe("the report of strength", () => {
  test("has a row for every seed and a mean where all seeds are known", () => {
    const { cells, columns } = reportOf([
      [0, "gcn", "prbcd", 0.05, 0.69],
      [0, "gcn", "grbcd", 0.05, 0.72],
      [1, "gcn", "prbcd", 0.05, 0.7],
    ]);
    expect(columns.map(({ title }) => title).slice(2)).toEqual(["seed", "PyG", "PR-BCD", "− PyG", "GR-BCD", "− PyG"]);
    expect(cells).toEqual([
      ["cora_ml", "0.05", "0", "0.7000", "0.6900", "−0.0100", "0.7200", "+0.0200"],
      ["cora_ml", "0.05", "1", "0.7100", "0.7000", "−0.0100", "", ""],
      ["cora_ml", "0.05", "mean", "0.7050", "0.6950", "−0.0100", "", ""],
    ]);
  });
  test("says yes only if no cell is weaker, to the digits that are known of the other library", () => {
    const first = (accuracy: number) =>
      reportOf([
        [0, "gcn", "prbcd", 0.05, 0.69],
        [0, "gcn", "prbcd", 0.5, accuracy],
      ]).verdicts![1];
    expect(first(0.30004)).toMatch(/^PR-BCD is at every .*: yes \(2 of 2\)\.$/);
    expect(first(0.3012)).toMatch(/: no, in 1 of 2; weaker at cora_ml seed 0 ε 0\.5 by 0\.0012\.$/);
  });
  test("has the mean difference at the usual budgets, and the smallest one with its place", () => {
    const { verdicts } = reportOf([
      [0, "gcn", "prbcd-polish", 0.05, 0.6],
      [1, "gcn", "prbcd-polish", 0.05, 0.69],
      [0, "gcn", "prbcd-polish", 0.5, 0.29],
    ]);
    expect(verdicts!.at(-1)).toBe(
      "PR-BCD + polish leaves less accuracy than PyTorch Geometric's PR-BCD by 0.0600 at ε 0.05 on average; " +
        "smallest difference there 0.0200 (cora_ml seed 1 ε 0.05).",
    );
  });
  test("notices weights that are not those of the other library", () => {
    const [same] = reportOf([[0, "gcn", "prbcd", 0.05, 0.6, 0.80001]]).verdicts!;
    expect(same).toMatch(/clean accuracies agree/);
    const [other] = reportOf([[0, "gcn", "prbcd", 0.05, 0.6, 0.79]]).verdicts!;
    expect(other).toMatch(/^Not the weights .*: cora_ml seed 0 \(0\.7900 here, 0\.8000 there\)\.$/);
  });
  test("takes the strongest attack of each seed beside what was published", () => {
    const report = reportOf([
      [0, "gdc", "transfer", 0.1, 0.7, 0.8],
      [0, "gdc", "prbcd-polish", 0.1, 0.5, 0.8],
      [1, "gdc", "transfer", 0.1, 0.6, 0.84],
      [1, "gdc", "prbcd-polish", 0.1, 0.62, 0.84],
    ]);
    expect(report.cells).toEqual([]);
    const [robust, times] = report.sections!;
    const row = Object.fromEntries(robust.columns.map(({ title }, c) => [title, robust.cells[0][c]]));
    expect(row).toMatchObject({
      clean: "0.820",
      transfer: "0.650",
      "PR-BCD + polish": "0.560",
      strongest: "0.550",
      seeds: "2",
    });
    const published = Number(row["published adaptive"]);
    expect(published).toBeLessThan(Number(row["published transfer"]));
    expect(row["− published"]).toBe(`−${(published - 0.55).toFixed(3)}`);
    expect(report.verdicts).toEqual([
      `gdc: of published ${published.toFixed(3)} the strongest attack here leaves 0.550 (mean of one published cell).`,
    ]);
    expect(times.cells).toEqual([["cora_ml", "gdc", "0.1", "cpu", "1.0", "1.0"]]);
  });
  test("is written as Markdown with its verdicts and sections, and without a table that is empty", () => {
    const report = reportOf([[0, "gdc", "transfer", 0.1, 0.7]]);
    const source = { command: "rgnn reproduce strength", code: null, drawing: null };
    const text = reportMarkdown("Strength", report, source);
    expect(text).toContain("\n- gdc: of published");
    expect(text).toContain("\n## What is left of published robustness\n");
    expect(text).not.toContain("− PyG");
  });
});
