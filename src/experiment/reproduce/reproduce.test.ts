import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { measuredRun } from "../../../test/support/measured-runs.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { globalAttacks } from "../../attack/global-attacks.ts";
import { modelKinds } from "../../defense/model-kinds.ts";
import { runStudy } from "../runner/run-study.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { type Experiment, experimentOf, keyOfExperiment, plain, planExperiments } from "./experiment.ts";
import { codeSentence, freshnessOf } from "./freshness.ts";
import { published } from "./published.ts";
import { reportMarkdown } from "./report.ts";
import { reproducedRows } from "./reproduce.ts";
import { Results } from "./results.ts";
import { tableReproduction } from "./table-report.ts";
import { type Table, type TableRow, tables } from "./tables.ts";

describe("published", () => {
  test("knows the accuracies of the paper", () => {
    const gcn = { setting: "direct", dataset: "cora_ml", attack: "prbcd", loss: "tanh-margin", epsilon: 0.1 } as const;
    expect(published({ ...gcn, model: "gcn" })).toEqual({ mean: 0.635, err: 0.005 });
    expect(published({ ...gcn, model: "mlp" })).toBeUndefined();
  });
  test("has the printed row of GAT under the model that it agrees with, and the authors' notebook's under GAT", () => {
    const dice = { setting: "transfer", dataset: "cora_ml", attack: "dice", loss: null, epsilon: 0.05 } as const;
    expect(published({ ...dice, model: "gdc-gat" })).toEqual({ mean: 0.763, err: 0.002 });
    expect(published({ ...dice, model: "gat" })).toEqual({ mean: 0.788, err: 0.002 });
  });
});

describe("tables", () => {
  const rowsOf = (name: string) => tables[name].datasets.flatMap((dataset) => tables[name].rows(dataset));

  test.each(Object.keys(tables))("%s names only models and attacks that exist, and is what it says", (name) => {
    for (const { published: key, measure } of rowsOf(name)) {
      expect(Object.keys(modelKinds)).toContain(key.model);
      expect(measure.models[0].name).toBe(key.model);
      expect(measure.attacks?.[0].name ?? "none").toBe(key.attack);
      if (measure.surrogate) expect(Object.keys(modelKinds)).toContain(measure.surrogate.name);
      if (measure.attacks) expect(Object.keys(globalAttacks)).toContain(key.attack);
    }
  });
  test("of direct and transferred attacks have a published value in every row", () => {
    for (const name of ["direct", "adaptive", "transfer", "losses", "robust", "robust-pubmed"])
      expect(rowsOf(name).filter((row) => !published(row.published))).toEqual([]);
  });
  test("run PR-BCD as published, whatever its defaults are", () => {
    const attacks = Object.keys(tables).flatMap((name) => rowsOf(name).flatMap(({ measure }) => measure.attacks ?? []));
    const presets = attacks.filter(({ name }) => name === "prbcd").map(({ options }) => options["preset"]);
    expect(new Set(presets)).toEqual(new Set(["paper"]));
  });
  test("of PubMed evaluate every model on the flips of one attack, and share it with the table of losses", () => {
    const attacks = (name: string) =>
      new Set(
        rowsOf(name).map(({ measure: { models: _, ...measure }, published: { epsilon } }) =>
          JSON.stringify([measure, epsilon]),
        ),
      );
    expect(attacks("robust-pubmed").size).toBe(5); // none, and each of two attacks at two budgets
    expect([...attacks("robust-pubmed")].filter((attack) => attacks("pubmed").has(attack))).toHaveLength(2);
  });
});

/** DICE on a graph with published values. */
function diceRow(model: string): TableRow {
  return {
    published: { setting: "transfer", dataset: "cora_ml", attack: "dice", loss: null, epsilon: 0.05, model },
    measure: experimentOf({
      dataset: "cora_ml",
      model: plain(model),
      surrogate: plain("gcn"),
      attack: plain("dice"),
      epsilon: 0.05,
    }),
  };
}

describe("rows beside the published ones", () => {
  const far = [0.601, 0.6, 0.602];
  const values: Record<string, number[]> = { gcn: [0.81, 0.83, 0.812], gdc: far, "gdc-gat": far, mlp: far };
  const seeds = [0, 1, 5];
  const results = new Results(
    Object.entries(values).flatMap(([model, all]) =>
      all.map((value, k) => measuredRun(diceRow(model).measure, seeds[k], value)),
    ),
  );

  test("are judged by the spreads of both; a model that was chosen to fit does not count", () => {
    const rows = reproducedRows(Object.keys(values).map(diceRow), seeds, results);
    expect(rows.map(({ verdict }) => verdict)).toEqual(["within", "stronger", "not counted", "unpublished"]);
    expect(rows[0].interval![0]).toBeLessThan(0);
  });
  test("are told apart in words", async () => {
    const table: Table = { title: "DICE", datasets: ["cora_ml"], rows: () => Object.keys(values).map(diceRow) };
    const choice = { datasets: ["cora_ml"], seeds };
    const report = await tableReproduction(table).report(choice, results);
    const where = "cora_ml dice ε 0.05 on gdc stronger (−0.229)";
    expect(report.verdicts![0]).toBe(
      `Cells that differ from the published ones by more than chance explains: 1 of 2: ${where}.`,
    );
    expect(report.verdicts![2]).toMatch(
      new RegExp(`with three seeds on each side: ${where.replace(/[()]/g, "\\$&")}\\.$`),
    );
    const source = { command: "rgnn reproduce dice", code: "Code.", drawing: null };
    expect(reportMarkdown("DICE", report, source)).toMatch(
      /^# DICE\n\nMade by `rgnn reproduce dice`\. [^|]*\n\nCode\.\n/,
    );
  });
});

describe("results", () => {
  const { measure } = diceRow("gcn");

  test("of this code count before those of other code, and later ones before earlier ones", () => {
    const old = measuredRun(measure, 0, 0.1, { code: "old", finishedAt: 9 });
    const first = measuredRun(measure, 0, 0.2, { finishedAt: 1 });
    const second = measuredRun(measure, 0, 0.3, { finishedAt: 2, device: "webgpu" });
    expect(new Results([old]).get(measure, 0)).toMatchObject({ value: 0.1, isStale: true, code: "old" });
    for (const runs of [
      [old, first, second],
      [second, old, first],
    ])
      expect(new Results(runs).get(measure, 0)).toMatchObject({ value: 0.3, isStale: false, device: "webgpu" });
    expect(new Results([old]).get(measure, 1)).toBeUndefined();
  });
  test("from before an option existed are those of its default, and of no other value", () => {
    const { description, ...run } = measuredRun(measure, 0, 0.1, { code: "old" });
    const { model } = description.cell;
    const { edgeNoiseAdd: _, ...earlier } = model.hyperparameters;
    const cell = { ...description.cell, model: { ...model, hyperparameters: earlier } };
    const results = new Results([{ ...run, description: { ...description, cell } }]);
    expect(results.get(measure, 0)).toMatchObject({ value: 0.1, isStale: true });
    const noisy = { ...measure, models: [{ name: "gcn", options: { edgeNoiseAdd: 0.001 } }] };
    expect(results.get(noisy, 0)).toBeUndefined();
  });
  test("are told apart by hyperparameters, quantities and budgets on the way", () => {
    const others: Experiment[] = [
      { ...measure, models: [{ name: "gcn", options: { dropout: 0.1 } }] },
      { ...measure, quantity: "hidden-shift" },
      { ...measure, attacks: [{ name: "grbcd", options: {} }], chain: false, passes: [{ epsilon: 0.01 }] },
      { ...measure, attacks: [{ name: "grbcd", options: {} }], chain: true, passes: [{ epsilon: 0.01 }] },
      { ...measure, polish: 3 },
      { ...measure, times: ["poisoning"] },
    ];
    const keys = [measure, ...others].map(keyOfExperiment);
    expect(new Set(keys).size).toBe(keys.length);
  });
  test("say which rows are stale or missing, and which code they come from", () => {
    const table: Table = { title: "DICE", datasets: ["cora_ml"], rows: () => ["gcn", "gdc"].map(diceRow) };
    const choice = { datasets: ["cora_ml"], seeds: [0, 1] };
    const fresh = measuredRun(measure, 0, 0.2, { code: "new" });
    const results = new Results([measuredRun(measure, 0, 0.2), measuredRun(measure, 1, 0.1, { code: "old" })]);
    expect(freshnessOf(tableReproduction(table), choice, results)).toEqual([
      { row: "cora_ml: dice ε 0.05 on gcn", current: [0], stale: [1], missing: [] },
      { row: "cora_ml: dice ε 0.05 from gcn on gdc", current: [], stale: [], missing: [0, 1] },
    ]);
    expect(codeSentence([measure], [0, 1], results)).toMatch(
      /^These numbers were measured by 2 versions of the code: /,
    );
    expect(codeSentence([measure], [0], new Results([fresh]))).toBe("All numbers were measured by code `new`.");
    expect(codeSentence([measure], [0], new Results([]))).toBeNull();
  });
});

describe("experiments that are measured", { timeout: 120_000 }, () => {
  const onSgc = { dataset: "synthetic-citation", model: { name: "sgc", options: { maxEpochs: 30 } } };
  const grbcd = { name: "grbcd", options: { blockSize: 5000, epochs: 3, polish: 0 } };
  const devices = new Map([["synthetic-citation", "cpu"]]);

  async function measured(experiments: readonly Experiment[], folder = temporaryFolder()) {
    const place = join(folder, "store.sqlite");
    const store = await openRunStore(place);
    const plan = await planExperiments("test", experiments, { seeds: [0], devices });
    const report = await runStudy(store, plan, { place, artefacts: join(folder, "artefacts"), workers: 1, threads: 2 });
    expect(report.failed).toEqual([]);
    const results = await Results.read(store, ["synthetic-citation"]);
    await store.close();
    return experiments.map((experiment) => results.get(experiment, 0)!);
  }

  test("are found again in the store before their graph is loaded, and not measured twice", async () => {
    const folder = temporaryFolder();
    const experiments = [0.05, 0.1].map((epsilon) => experimentOf({ ...onSgc, attack: plain("dice"), epsilon }));
    const first = await measured(experiments, folder);
    expect(first[1].value).toBeLessThan(first[0].value);
    expect(first[0]).toMatchObject({ isStale: false, device: "cpu", clean: first[1].clean });
    expect(await measured(experiments, folder)).toEqual(first);
  });

  test("go through smaller budgets: the same alone as after them, from the disk as from memory", async () => {
    const chained = (epsilon: number) =>
      experimentOf({ ...onSgc, attack: grbcd, epsilon, chain: true, passes: [{ epsilon: 0.005 }, { epsilon: 0.01 }] });
    const folder = temporaryFolder();
    const [smaller] = await measured([chained(0.005)], folder);
    const [larger] = await measured([chained(0.01)], folder); // goes on from the disk
    const alone = await measured([chained(0.01)]);
    const atOnce = await measured([experimentOf({ ...onSgc, attack: grbcd, epsilon: 0.01, chain: false })]);
    expect(larger.value).toBeLessThan(smaller.value);
    expect(alone[0].value).toBe(larger.value);
    expect(alone[0].result["flips"]).toEqual(larger.result["flips"]);
    expect(atOnce[0].value).not.toBe(larger.value);
  });

  test("polish flips on the victim, which then do more harm", async () => {
    const dice = { ...onSgc, attack: plain("dice"), epsilon: 0.005 };
    const [found, polished] = await measured([experimentOf(dice), experimentOf({ ...dice, polish: 1 })]);
    expect(polished.value).toBeLessThan(found.value);
    expect(polished.seconds).toBeGreaterThan(found.seconds);
    expect(polished.clean).toBe(found.clean);
  });

  test("measure how far flips move a hidden layer, and how well gradients agree for the same weights", async () => {
    const gdc = { dataset: "synthetic-citation", model: { name: "gdc", options: { hidden: [8], maxEpochs: 20 } } };
    const pushed = { ...gdc.model, options: { ...gdc.model.options, method: "push", epsilon: 1e-5 } };
    const attack = { attack: plain("dice"), epsilon: 0.01 };
    const [shift, agreement, itself] = await measured([
      experimentOf({ ...gdc, ...attack, quantity: "hidden-shift" }),
      experimentOf({
        ...gdc,
        model: { ...pushed, trainedWith: gdc.model.options },
        ...attack,
        surrogate: gdc.model,
        quantity: "gradient-agreement",
      }),
      experimentOf({ ...gdc, quantity: "gradient-agreement" }),
    ]);
    expect(shift.value).toBeGreaterThan(0);
    expect(itself.value).toBeCloseTo(1, 6);
    expect(agreement.value).toBeGreaterThan(0.9);
    expect(agreement.value).toBeLessThan(1);
    expect(agreement.result["agreement"]).toMatchObject({ cosine: agreement.value, topOverlap: expect.any(Number) });
  });
});
