import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { silent } from "../../core/progress.ts";
import { buildModel } from "../../defense/build-model.ts";
import { withFlips } from "../../tensor/index.ts";
import { curvesChart } from "../curves-chart.ts";
import { openSession } from "../session.ts";
import { bias } from "./bias.ts";
import { pointMass } from "./point-mass.ts";
import { quantities } from "./quantities.ts";
import { ResultStore } from "./store.ts";
import { temperature } from "./temperature.ts";

const folder = mkdtempSync(join(tmpdir(), "rgnn-figures-"));
afterAll(() => rmSync(folder, { recursive: true }));

const options = { where: { threads: 2 }, steps: { begin: () => silent, end() {} } };
const choice = { datasets: ["cora_ml"], seeds: [0, 1] };

describe("point-mass", () => {
  test("breaks the mean at once and the medians at half of the sample", async () => {
    const report = await pointMass.run({ datasets: [], seeds: [0] }, new ResultStore(join(folder, "none")), options);
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
    const store = new ResultStore(join(folder, "bias.jsonl"));
    const measurement = {
      dataset: "cora_ml",
      surrogate: "dense-gcn",
      attack: "pgd",
      loss: null,
      epsilon: 0.1,
      options: { epochs: 200 },
      quantity: "hidden-shift" as const,
    };
    for (const seed of [0, 1]) {
      store.put({ ...measurement, seed, victim: "gdc" }, { value: 2 + seed, seconds: 1 });
      store.put({ ...measurement, seed, victim: "soft-median-gdc" }, { value: 1, seconds: 1 });
    }
    const { cells } = await bias.run(choice, store, { ...options, stored: true });
    expect(cells).toEqual([
      ["cora_ml", "0.1", "gdc", "2.500 ± 0.707", "2", "1.000"],
      ["cora_ml", "0.1", "soft-median-gdc", "1.000 ± 0.000", "2", "0.400"],
    ]);
  });
  test("is 0 without flips and above 0 with one", async () => {
    const session = await openSession({ dataset: "synthetic-citation", threads: 2 });
    const { model } = buildModel(session, { model: "gcn", seed: 0 });
    const flipped = withFlips(session.view, { sources: Int32Array.of(3), targets: Int32Array.of(10) });
    const shift = quantities["hidden-shift"];
    expect(await shift(model, session, session.view, 0)).toBe(0);
    expect(await shift(model, session, flipped, 0)).toBeGreaterThan(0);
    await expect(shift({ ...model, name: "other" }, session, flipped, 0)).rejects.toThrow("other has no hidden layer");
    await session.close();
  });
});

describe("temperature", () => {
  test("draws models without a temperature as levels, and compares only these with what was published", async () => {
    const store = new ResultStore(join(folder, "temperature.jsonl"));
    const clean = { dataset: "cora_ml", surrogate: null, attack: null, loss: null, options: {}, epsilon: 0 };
    for (const seed of [0, 1]) {
      store.put({ ...clean, seed, victim: "gdc" }, { value: 0.84, seconds: 0 });
      store.put({ ...clean, seed, victim: "soft-median-gdc", set: { temperature: 0.2 } }, { value: 0.82, seconds: 0 });
    }
    const { cells, curves } = await temperature.run(choice, store, { ...options, stored: true });
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
