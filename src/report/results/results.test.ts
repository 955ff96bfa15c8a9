import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { madeRun, madeStudy } from "../../../test/support/report-runs.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openRunStore } from "../../experiment/store/open-run-store.ts";
import type { FinishedRun } from "../../experiment/store/store.ts";
import type { CellDescription } from "../../experiment/study/run-description.ts";
import { readCertifiedBounds } from "./certified-bounds.ts";
import { findingsOn } from "./findings.ts";
import { labelsOf } from "./labels.ts";
import { addHistograms, smooth } from "./margin-sums.ts";
import { meanOfShares } from "./mean-interval.ts";
import { chooseStudy, readResults } from "./read-study.ts";
import { ResultIndex } from "./study-results.ts";

/** A store with these runs, all of one study. */
async function storeOf(runs: readonly FinishedRun[], studies: readonly string[] = ["made"]) {
  const store = await openRunStore(join(temporaryFolder(), "store.sqlite"));
  for (const study of studies) await store.addRuns(study, runs);
  await store.merge(runs);
  return store;
}

async function resultsOf(runs: readonly FinishedRun[]) {
  const store = await storeOf(runs);
  return readResults(store, "made").finally(() => store.close());
}

describe("labels", () => {
  test("have the options in which things of the same name differ, and no others", () => {
    const sgc = (weightDecay: number) => ({ name: "sgc", options: { weightDecay, hidden: [64] } });
    const mlp = { name: "mlp", options: { hidden: [16] } };
    const label = labelsOf([[sgc(0.1), sgc(0.2), mlp]]);
    expect([label(sgc(0.1)), label(sgc(0.2)), label(mlp)]).toEqual([
      "sgc weightDecay=0.1",
      "sgc weightDecay=0.2",
      "mlp",
    ]);
  });
  test("do not show options that differ from graph to graph alone", async () => {
    const sgc = (dataset: string, weightDecay: number) =>
      madeRun({
        dataset,
        value: 0.5,
        change: (cell) => ({ ...cell, model: { name: "sgc", hyperparameters: { weightDecay } } }),
      });
    const models = async (...runs: FinishedRun[]) => (await resultsOf(runs)).runs.map(({ model }) => model);
    expect(await models(sgc("cora_ml", 0.1), sgc("citeseer", 0.2))).toEqual(["sgc", "sgc"]);
    expect(await models(sgc("cora_ml", 0.1), sgc("cora_ml", 0.2), sgc("citeseer", 0.2))).toEqual([
      "sgc weightDecay=0.1",
      "sgc weightDecay=0.2",
      "sgc weightDecay=0.2",
    ]);
  });
  test("tell an attack on a model from one that is transferred to it, where there are both", async () => {
    const direct = madeRun({ model: "gdc", value: 0.5 });
    const transferred = madeRun({ model: "gdc", value: 0.6, surrogate: "gcn" });
    const both = await resultsOf([direct, transferred]);
    expect(both.runs.map(({ attack }) => attack)).toEqual(["prbcd from=victim", "prbcd from=gcn"]);
    const all = await resultsOf([direct, transferred, madeRun({ model: "gcn", value: 0.4 })]);
    expect(all.runs.map(({ model, attack }) => [model, attack])).toEqual([
      ["gdc", "prbcd from=victim"],
      ["gdc", "prbcd from=gcn"],
      ["gcn", "prbcd from=gcn"], // the flips that are transferred
    ]);
    const one = await resultsOf([transferred, madeRun({ model: "gcn", value: 0.5 })]);
    expect(one.runs.map(({ attack, attackedModel }) => [attack, attackedModel])).toEqual([
      ["prbcd", "gcn"],
      ["prbcd", "gcn"],
    ]);
  });
});

describe("reading a study", () => {
  test("keeps the newest of runs that differ by the code alone", async () => {
    const old = madeRun({ value: 0.5 });
    const code = { training: "t", attack: "newer" };
    const made = madeRun({ value: 0.4, change: (cell) => ({ ...cell, code }) });
    const { runs, outdated } = await resultsOf([{ ...made, finishedAt: old.finishedAt + 1 }, old]);
    expect(runs.map(({ accuracy }) => accuracy)).toEqual([0.4]);
    expect(outdated).toBe(1);
  });
  test("keeps the newest of runs that it calls alike, so that a seed counts once", async () => {
    const old = madeRun({ value: 0.5 });
    const after = [{ epsilon: 0.05, budget: 399 }];
    const chained = madeRun({ value: 0.4, change: (cell) => ({ ...cell, attack: { ...cell.attack!, after } }) });
    const edited = madeRun({ value: 0.3, change: (cell) => ({ ...cell, graph: { ...cell.graph, sha256: "cd" } }) });
    const [first, second, third] = [old, chained, edited].map((run, k) => ({ ...run, finishedAt: k }));
    const { runs, superseded, outdated } = await resultsOf([third, first, second]);
    expect(runs.map(({ accuracy }) => accuracy)).toEqual([0.3]);
    expect([superseded, outdated]).toEqual([2, 0]);
  });
  test("takes a run of a version that knew accuracies alone for an accuracy", async () => {
    const store = await storeOf([madeRun({ value: 0.5 })]);
    const { finished } = store;
    vi.spyOn(store, "finished").mockImplementation(async (...args) =>
      (await finished.apply(store, args)).map((run) => {
        const { quantity: _, ...cell } = run.description.cell;
        return { ...run, description: { ...run.description, cell: cell as CellDescription } };
      }),
    );
    const { runs } = await readResults(store, "made").finally(() => store.close());
    expect(runs.map(({ quantity, accuracy }) => [quantity, accuracy])).toEqual([["accuracy", 0.5]]);
  });
  test("counts budgets in flips unless all are shares of the edges", async () => {
    expect((await resultsOf([madeRun({ value: 0.5 })])).budgetUnit).toBe("share");
    const counted = madeRun({
      value: 0.4,
      change: (cell) => ({ ...cell, attack: { ...cell.attack!, epsilon: null, budget: 7 } }),
    });
    const { budgetUnit, runs } = await resultsOf([madeRun({ value: 0.5 }), counted]);
    expect([budgetUnit, ...runs.map(({ budget }) => budget)]).toEqual(["flips", 798, 7]);
  });
  test("takes the only study, and asks for a name where there are several or another", async () => {
    const one = await storeOf([madeRun({ value: 0.5 })]);
    expect(await chooseStudy(one, undefined)).toBe("made");
    await expect(chooseStudy(one, "other")).rejects.toThrow(/has no study "other"; it has "made"/);
    await one.close();
    const two = await storeOf([madeRun({ value: 0.5 })], ["first", "second"]);
    await expect(chooseStudy(two, undefined)).rejects.toThrow(/has several studies; name one of "first", "second"/);
    await two.close();
    const merged = await storeOf([madeRun({ value: 0.5 })], []);
    expect(await chooseStudy(merged, undefined)).toBeNull();
    expect((await readResults(merged, null)).runs).toHaveLength(1);
    await merged.close();
  });
  test("refuses an empty store, and a study of which nothing is done", async () => {
    const store = await openRunStore(join(temporaryFolder(), "store.sqlite"));
    await expect(readResults(store, null)).rejects.toThrow(/holds no results/);
    const { outcome: _, finishedAt: __, ...planned } = madeRun({ value: 0.5 });
    await store.addRuns("waiting", [planned]);
    await expect(readResults(store, "waiting")).rejects.toThrow(
      /none of its 1 runs is done \(0 failed\); rgnn run goes on/,
    );
    await store.close();
  });
});

describe("bounds of certificates", () => {
  const write = (content: string) => {
    const file = join(temporaryFolder(), "certified.json");
    writeFileSync(file, content);
    return file;
  };
  const report = {
    dataset: "cora_ml",
    model: "gcn",
    seed: 3,
    band: [{ budget: 2, allowed: "deletions", certified: 0.4, attacked: 0.7, flips: {} }],
  };
  const bound = {
    dataset: "cora_ml",
    model: "gcn",
    seed: 3,
    budget: 2,
    allowed: "deletions",
    certified: 0.4,
    attacked: 0.7,
  };

  test("are read from what rgnn certify prints, of one seed or of several", () => {
    expect(readCertifiedBounds(write(JSON.stringify(report)))).toEqual([bound]);
    const several = { runs: [report, { ...report, seed: 4 }], mean: {} };
    expect(readCertifiedBounds(write(JSON.stringify(several)))).toEqual([bound, { ...bound, seed: 4 }]);
  });
  test("are asked for where a file has none", () => {
    expect(() => readCertifiedBounds(write(JSON.stringify({ ...report, band: null })))).toThrow(
      /has no bounds of certificates; make it with/,
    );
    for (const other of ["null", "[]", "3"])
      expect(() => readCertifiedBounds(write(other))).toThrow(/certified\.json: /);
    expect(() => readCertifiedBounds(write("{"))).toThrow(/cannot be read as JSON/);
    expect(() => readCertifiedBounds("nowhere.json")).toThrow(/nowhere\.json: cannot be read/);
  });
});

describe("findings", () => {
  test("name the most robust model and the strongest attack at the largest budget, with how sure that is", async () => {
    const { runs } = await resultsOf(madeStudy());
    const { budget, models, attacks, untouched } = findingsOn(new ResultIndex(runs), "cora_ml")!;
    expect([budget, untouched]).toEqual([0.1, []]);
    expect(models.map(({ model, attack }) => [model, attack])).toEqual([
      ["sgc", "strong"],
      ["gcn", "strong"],
    ]);
    expect(models[0].robust.mean).toBeCloseTo(0.51 + 0.01 / 3, 10);
    expect(models[0].behind).toBeNull();
    expect(models[1].behind?.difference).toBeCloseTo(0.1 + 0.01 / 3, 10);
    expect(models[1].behind?.pairs).toBe(3);
    expect(models[1].behind?.correctedP).toBeLessThan(0.01);
    expect(attacks.map(({ attack }) => attack)).toEqual(["strong", "weak"]);
    expect(attacks[1].behind).toMatchObject({ pairs: 3 });
    expect(attacks[1].behind?.difference).toBeCloseTo(0.2, 10);
  });
  test("do not take an attack for strong because it met only a weak model", async () => {
    const { runs } = await resultsOf([
      ...madeStudy(), // strong leaves .41 of gcn and .51 of sgc
      madeRun({ model: "gcn", attack: "narrow", value: 0.45 }),
    ]);
    const { attacks } = findingsOn(new ResultIndex(runs), "cora_ml")!;
    expect(attacks.map(({ attack, models }) => [attack, models])).toEqual([
      ["strong", ["gcn", "sgc"]],
      ["narrow", ["gcn"]],
      ["weak", ["gcn", "sgc"]],
    ]);
  });
  test("do not compare a model that no flip changes", async () => {
    const { runs } = await resultsOf([
      ...madeStudy(),
      madeRun({ model: "mlp", attack: "strong", value: 0.7, clean: 0.7 }),
    ]);
    const { models, untouched } = findingsOn(new ResultIndex(runs), "cora_ml")!;
    expect(untouched).toEqual(["mlp"]);
    expect(models.map(({ model }) => model)).toEqual(["sgc", "gcn"]);
  });
  test("are null where nothing was attacked, and know nothing of chance from one seed", async () => {
    const clean = await resultsOf([madeRun({ attack: null, value: 0.8 })]);
    expect(findingsOn(new ResultIndex(clean.runs), "cora_ml")).toBeNull();
    const one = await resultsOf(madeStudy().filter(({ description }) => description.seed === 0));
    expect(findingsOn(new ResultIndex(one.runs), "cora_ml")?.models[1].behind).toMatchObject({
      correctedP: null,
      interval: null,
    });
  });
});

test("a mean has the interval of Student's t, which does not leave 0 to 1", () => {
  const { mean, standardError, interval } = meanOfShares([0.5, 0.6, 0.7]);
  expect(mean).toBeCloseTo(0.6, 10);
  expect(standardError).toBeCloseTo(0.1 / Math.sqrt(3), 10);
  expect(interval?.[1]).toBeCloseTo(0.6 + 4.3027 * (0.1 / Math.sqrt(3)), 4);
  expect(meanOfShares([0.99, 0.9]).interval?.[1]).toBe(1);
  expect(meanOfShares([0.5])).toMatchObject({ mean: 0.5, standardError: null, interval: null });
});

describe("margins of several runs", () => {
  test("are added in the widest bins", () => {
    const fine = { width: 0.5, first: -1, before: [1, 2, 3], after: [0, 0, 6] };
    const coarse = { width: 1, first: 0, before: [4], after: [4] };
    expect(addHistograms([fine, coarse])).toEqual({ width: 1, first: -1, before: [1, 9], after: [0, 10] });
  });
  test("keep their sum when they are smoothed, and have their peak where it was", () => {
    const counts = [...new Array(9).fill(0), 8, ...new Array(9).fill(0)];
    const density = smooth(counts);
    expect(density.reduce((sum, value) => sum + value, 0)).toBeCloseTo(8, 10);
    expect(density.indexOf(Math.max(...density))).toBe(9);
  });
});
