import { describe, expect, test } from "vitest";
import { measuredRun } from "../../../test/support/measured-runs.ts";
import { withFlips } from "../../tensor/index.ts";
import { buildModel } from "../build-model.ts";
import { curvesChart } from "../curves-chart.ts";
import { hiddenShift } from "../measure/hidden-shift.ts";
import { openSession } from "../session.ts";
import { bias } from "./bias.ts";
import type { Experiment } from "./experiment.ts";
import { pointMass } from "./point-mass.ts";
import { pushGradient } from "./push-gradient.ts";
import { Results } from "./results.ts";
import { temperature } from "./temperature.ts";

const choice = { datasets: ["cora_ml"], seeds: [0, 1] };

describe("point-mass", () => {
  test("breaks the mean at once and the medians at half of the sample", async () => {
    const report = await pointMass.report({ datasets: [], seeds: [0] }, new Results([]));
    const rows = report.rows as { panel: string; estimator: string; share: number; error: number }[];
    const errorOf = (estimator: string, share: number) =>
      rows.find((row) => row.panel.startsWith("absolute") && row.estimator === estimator && row.share === share)!.error;
    expect(errorOf("mean", 0.1)).toBeCloseTo(100, 0);
    expect(errorOf("Soft Median, T = 1", 0.3)).toBeLessThan(errorOf("median", 0.3));
    for (const name of ["Soft Median, T = 1", "median", "sample closest to the median"]) {
      expect(errorOf(name, 0.48)).toBeLessThan(5);
      expect(errorOf(name, 0.52)).toBeGreaterThan(900);
    }
    expect(await curvesChart(report.curves!)).toContain("replaced points");
  });
});

describe("bias", () => {
  test("is compared with that of a weighted sum", async () => {
    const of = (model: string) =>
      bias
        .experiments(choice)
        .find(
          ({ models, budgets }) => models[0].name === model && JSON.stringify(budgets) === '[{"epsilon":0.1}]',
        ) as Experiment;
    const results = new Results(
      [0, 1].flatMap((seed) => [
        measuredRun(of("gdc"), seed, 2 + seed),
        measuredRun(of("soft-median-gdc"), seed, 1),
        measuredRun({ ...of("gdc"), quantity: "accuracy" }, seed, 0.5),
      ]),
    );
    const { cells } = await bias.report(choice, results);
    expect(cells).toEqual([
      ["cora_ml", "0.1", "gdc", "2.500 ± 0.707", "2", "1.000"],
      ["cora_ml", "0.1", "soft-median-gdc", "1.000 ± 0.000", "2", "0.400"],
    ]);
  });
  test("is 0 without flips and above 0 with one", async () => {
    const session = await openSession({ dataset: "synthetic-citation", threads: 2 });
    const { model } = buildModel(session, { model: "gcn", seed: 0 });
    const flipped = withFlips(session.view, { sources: Int32Array.of(3), targets: Int32Array.of(10) });
    expect(await hiddenShift(model, session.view, session.view)).toBe(0);
    expect(await hiddenShift(model, session.view, flipped)).toBeGreaterThan(0);
    const other = { ...model, name: "other" };
    await expect(hiddenShift(other, session.view, flipped)).rejects.toThrow("other has no hidden layer");
    await session.close();
  });
});

describe("temperature", () => {
  test("draws models without a temperature as levels, and compares only these with what was published", async () => {
    const clean = temperature.experiments(choice).filter(({ attacks }) => attacks === undefined);
    const plain = clean.find(({ models: [{ name }] }) => name === "gdc")!;
    const soft = clean.find(
      ({ models: [{ name, options }] }) => name === "soft-median-gdc" && options["temperature"] === 0.2,
    )!;
    const results = new Results(
      [0, 1].flatMap((seed) => [measuredRun(plain, seed, 0.84), measuredRun(soft, seed, 0.82)]),
    );
    const { cells, curves } = await temperature.report(choice, results);
    expect(cells.map((row) => row.slice(1, 4))).toEqual([
      ["gdc", "", "clean"],
      ["soft-median-gdc", "0.2", "clean"],
    ]);
    expect(curves!.points.map(({ series, x }) => [series, x])).toEqual([
      ["gdc", 0.1],
      ["gdc", 10],
      ["soft-median-gdc", 0.2],
    ]);
  });
});

describe("push-gradient", () => {
  test("is made from the store alone", async () => {
    const experiments = pushGradient.experiments(choice);
    const agreement = { cosine: 0.9, rankCorrelation: 0.8, topOverlap: 0.7 };
    const runs = experiments.map((experiment) => measuredRun(experiment, 0, 0.6, { result: { agreement } }));
    const { cells } = await pushGradient.report(choice, new Results(runs));
    expect(cells).toHaveLength(2 * (2 + 6)); // two models, two attacks, two places with three tolerances
    expect(cells[0].slice(1)).toEqual(["0", "gdc", "attack, epsilon 0.05", "1e-4", "", "", "", "0.600", "0.600"]);
    expect(cells[2].slice(3)).toEqual(["gradient, clean graph", "1e-3", "0.900", "0.800", "0.700", "", ""]);
    expect((await pushGradient.report(choice, new Results([]))).rows).toEqual([]);
  });
});
