import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { globalAttacks } from "../../attack/global-attacks.ts";
import { silent } from "../../core/progress.ts";
import { modelKinds } from "../../defense/model-kinds.ts";
import type { Measurement } from "./measurement.ts";
import { published } from "./published.ts";
import { reportMarkdown } from "./report.ts";
import { reproduce } from "./reproduce.ts";
import { runMeasurements } from "./run-measurements.ts";
import { ResultStore } from "./store.ts";
import { tableReproduction } from "./table-report.ts";
import { type Table, type TableRow, tables } from "./tables.ts";

const folder = mkdtempSync(join(tmpdir(), "rgnn-reproduce-"));
afterAll(() => rmSync(folder, { recursive: true }));

const steps = { begin: () => silent, end() {} };

/** DICE on the built-in graph: quick, and with the frame of every other table. */
const small: Table = {
  title: "A small table",
  datasets: ["synthetic-citation"],
  rows: (dataset) =>
    [0.05, 0.1].map((epsilon) => ({
      published: { setting: "transfer", dataset, attack: "dice", loss: null, epsilon, model: "sgc" },
      measure: { surrogate: "sgc", attack: "dice", loss: null, options: {} },
    })),
};

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

test("reproduce judges by the spreads of both, and does not count a model that was chosen to fit", async () => {
  const store = new ResultStore(join(folder, "judged.jsonl"));
  const row = (model: string) => ({
    published: { setting: "transfer", dataset: "cora_ml", attack: "dice", loss: null, epsilon: 0.05, model } as const,
    measure: { surrogate: "gcn", attack: "dice", loss: null, options: {} },
  });
  const far = [0.601, 0.6, 0.602];
  const values: Record<string, number[]> = { gcn: [0.81, 0.83, 0.812], gdc: far, "gdc-gat": far, mlp: far };
  for (const [model, all] of Object.entries(values)) {
    for (const [k, seed] of [0, 1, 5].entries()) {
      const { dataset, epsilon } = row(model).published;
      store.put({ ...row(model).measure, dataset, epsilon, seed, victim: model }, { value: all[k], seconds: 1 });
    }
  }
  const table = { ...small, datasets: ["cora_ml"], rows: () => Object.keys(values).map(row) };
  const choice = { datasets: ["cora_ml"], seeds: [0, 1, 5] };
  const options = { where: {}, steps, stored: true };
  const rows = await reproduce(table, choice, store, options);
  expect(rows.map(({ verdict }) => verdict)).toEqual(["within", "stronger", "not counted", "unpublished"]);
  expect(rows[0].interval![0]).toBeLessThan(0);
  const { verdicts } = await tableReproduction(table).run(choice, store, options);
  const where = "cora_ml dice ε 0.05 on gdc stronger (−0.229)";
  expect(verdicts![0]).toBe(
    `Cells that differ from the published ones by more than chance explains: 1 of 2: ${where}.`,
  );
  expect(verdicts![2]).toMatch(new RegExp(`with three seeds each: ${where.replace(/[()]/g, "\\$&")}\\.$`));
});

describe("tables", () => {
  test.each(Object.entries(tables))("%s names only models and attacks that exist", (_, table) => {
    for (const { published: key, measure } of table.datasets.flatMap((dataset) => table.rows(dataset))) {
      expect(Object.keys(modelKinds)).toContain(key.model);
      if (measure.surrogate !== null) expect(Object.keys(modelKinds)).toContain(measure.surrogate);
      if (measure.attack !== null) expect(Object.keys(globalAttacks)).toContain(measure.attack);
    }
  });
  test("of direct and transferred attacks have a published value in every row", () => {
    for (const name of ["direct", "adaptive", "transfer", "losses", "robust", "robust-pubmed"]) {
      const rows = tables[name].datasets.flatMap((dataset) => tables[name].rows(dataset));
      expect(rows.filter((row) => !published(row.published))).toEqual([]);
    }
  });
});

describe("robust-pubmed", () => {
  test("evaluates every model on the flips of one attack, and shares it with the table of losses", () => {
    const attacks = (name: string) =>
      new Set(
        tables[name].rows("pubmed").map(({ measure, published: { epsilon } }) => JSON.stringify([measure, epsilon])),
      );
    expect(attacks("robust-pubmed").size).toBe(5); // none, and each of two attacks at two budgets
    expect([...attacks("robust-pubmed")].filter((attack) => attacks("pubmed").has(attack))).toHaveLength(2);
  });
});

describe("reproduce", () => {
  test("measures what is missing, keeps it, and does not measure it again", async () => {
    const file = join(folder, "results.jsonl");
    const choice = { datasets: small.datasets, seeds: [0] };
    const options = { where: { threads: 2 }, steps };
    const rows = await reproduce(small, choice, new ResultStore(file), options);
    expect(rows.map(({ epsilon, values }) => [epsilon, values.length])).toEqual([
      [0.05, 1],
      [0.1, 1],
    ]);
    expect(rows[1].mean).toBeLessThan(rows[0].mean);
    expect(rows[0].verdict).toBe("unpublished");
    const written = readFileSync(file, "utf8");
    const more = { ...choice, seeds: [0, 1] };
    expect(await reproduce(small, more, new ResultStore(file), { ...options, stored: true })).toEqual(rows);
    expect(await reproduce(small, choice, new ResultStore(file), options)).toEqual(rows);
    expect(readFileSync(file, "utf8")).toBe(written);
    const report = await tableReproduction(small).run(choice, new ResultStore(file), options);
    expect(reportMarkdown("A small table", "rgnn reproduce small", report, null)).toContain("| dice |");
  });
});

test("reproduce runs PR-BCD as published, whatever its defaults are", async () => {
  const valueWith = async (name: string, options: Measurement["options"]) => {
    const measure = {
      surrogate: "sgc",
      attack: "prbcd",
      loss: null,
      options: { ...options, blockSize: 20_000, epochs: 12 },
    };
    const key = {
      setting: "direct",
      dataset: "synthetic-citation",
      attack: "prbcd",
      loss: null,
      epsilon: 0.05,
    } as const;
    const table = { ...small, rows: () => [{ published: { ...key, model: "sgc" }, measure }] };
    const store = new ResultStore(join(folder, `${name}.jsonl`));
    const [row] = await reproduce(table, { datasets: small.datasets, seeds: [0] }, store, {
      where: { threads: 2 },
      steps,
    });
    return row!.mean;
  };
  expect(await valueWith("published", {})).toBe(await valueWith("paper", { preset: "paper" }));
  expect(await valueWith("published", {})).not.toBe(await valueWith("strong", { preset: "strong" }));
});

describe("reproduce, when it is ended", () => {
  test("while a model is trained, stops at once and begins nothing else", async () => {
    const controller = new AbortController();
    const begun: string[] = [];
    let updates = 0;
    const watching = {
      begin(what: string) {
        begun.push(what);
        const update = () => {
          updates++;
          controller.abort(); // after the first epoch that is reported
        };
        return { update };
      },
      end() {},
    };
    const choice = { datasets: [...small.datasets, ...small.datasets], seeds: [0, 1, 2] };
    const options = { where: { threads: 1 }, steps: watching, signal: controller.signal };
    const rows = await reproduce(small, choice, new ResultStore(join(folder, "ended.jsonl")), options);
    expect([rows, begun.length]).toEqual([[], 1]);
    expect(updates).toBeLessThan(20);
    expect(existsSync(join(folder, "ended.jsonl"))).toBe(false);
  });
});

describe("an attack that goes through smaller budgets", () => {
  const row = (epsilon: number, after: readonly number[]): TableRow => ({
    published: {
      setting: "direct",
      dataset: "synthetic-citation",
      attack: "grbcd",
      loss: "mce",
      epsilon,
      model: "sgc",
    },
    measure: { surrogate: "sgc", attack: "grbcd", loss: null, options: { blockSize: 5000, epochs: 3 }, after },
  });
  const table: Table = {
    title: "Budget after budget",
    datasets: small.datasets,
    rows: () => [row(0.005, []), row(0.01, [0.005])],
  };
  const measure = async (chosen: Table, file: string) => {
    const rows = await reproduce(
      chosen,
      { datasets: small.datasets, seeds: [0] },
      new ResultStore(join(folder, file)),
      {
        where: { threads: 2 },
        steps,
      },
    );
    return rows.map(({ values }) => values[0]);
  };

  test("is measured at each of them, and the same alone as after them", async () => {
    const [smaller, larger] = await measure(table, "through.jsonl");
    expect(larger).toBeLessThan(smaller!);
    expect(await measure({ ...table, rows: () => [row(0.01, [0.005])] }, "alone.jsonl")).toEqual([larger]);
    expect(await measure({ ...table, rows: () => [row(0.01, [])] }, "at-once.jsonl")).not.toEqual([larger]);
  });
});

describe("flips that are polished on the victim", () => {
  test("do more harm than before, and are found once for both measurements", async () => {
    const plain: Measurement = {
      dataset: "synthetic-citation",
      seed: 0,
      surrogate: "sgc",
      attack: "dice",
      loss: null,
      options: {},
      epsilon: 0.005,
      victim: "sgc",
    };
    const polished = { ...plain, polish: 1 };
    const begun: string[] = [];
    const watching = {
      begin(what: string) {
        begun.push(what);
        return silent;
      },
      end() {},
    };
    const store = new ResultStore(join(folder, "polished.jsonl"));
    await runMeasurements([polished, plain], store, { where: { threads: 2 }, steps: watching });
    const values = [plain, polished].map((measurement) => store.get(measurement)!);
    expect(values[1].value).toBeLessThan(values[0].value);
    expect(values[1].seconds).toBeGreaterThan(values[0].seconds);
    expect(values[0]).toMatchObject({ device: "cpu", clean: values[1].clean });
    expect(begun.map((what) => what.split(": ")[1])).toEqual([
      "train sgc",
      "dice on sgc, epsilon 0.005",
      "polish on sgc, epsilon 0.005",
    ]);
  });
});

describe("ResultStore, where it cannot be", () => {
  test("says so in one line", () => {
    const file = join(folder, "wrong.jsonl");
    writeFileSync(file, `{"measurement":{}}\n`);
    expect(() => new ResultStore(file)).toThrow(`${file}: line 1 is no result; name another file with --store`);
    expect(() => new ResultStore(folder)).toThrow(`${folder}: cannot be read (EISDIR); name a file with --store`);
    const below = new ResultStore(join(file, "results.jsonl")); // a file is in the way of the folder
    expect(() => below.checkWritable()).toThrow(/cannot be written \(\w+\); name another file with --store/);
  });
});

describe("ResultStore", () => {
  const measurement: Measurement = {
    dataset: "d",
    seed: 0,
    surrogate: "gcn",
    attack: "dice",
    loss: null,
    epsilon: 0.1,
    victim: "gcn",
    options: { a: 1, b: 2 },
  };

  test("goes on after a line that was cut short", () => {
    const file = join(folder, "cut.jsonl");
    new ResultStore(file).put(measurement, { value: 0.5, seconds: 1 });
    const whole = readFileSync(file, "utf8");
    writeFileSync(file, whole + whole.slice(0, 40));
    expect(new ResultStore(file).get(measurement)?.value).toBe(0.5);
    new ResultStore(file).put({ ...measurement, seed: 1 }, { value: 0.25, seconds: 1 }); // takes the place of the cut line
    const again = new ResultStore(file);
    expect([again.get(measurement)?.value, again.get({ ...measurement, seed: 1 })?.value]).toEqual([0.5, 0.25]);
  });
  test("reads accuracies stored before there was anything else to measure", () => {
    const file = join(folder, "old.jsonl");
    writeFileSync(file, `${JSON.stringify({ measurement, value: { accuracy: 0.75, seconds: 2 } })}\n`);
    expect(new ResultStore(file).get(measurement)).toEqual({ value: 0.75, seconds: 2 });
  });
  test("tells hyperparameters and quantities apart", () => {
    const store = new ResultStore(join(folder, "apart.jsonl"));
    store.put({ ...measurement, set: { temperature: 0.5 } }, { value: 0.1, seconds: 1 });
    store.put({ ...measurement, quantity: "hidden-shift" }, { value: 0.2, seconds: 1 });
    expect(store.get(measurement)).toBeUndefined();
    expect(store.get({ ...measurement, set: { temperature: 0.5 } })?.value).toBe(0.1);
    expect(store.get({ ...measurement, quantity: "hidden-shift" })?.value).toBe(0.2);
  });
  test("finds a measurement whatever the order of its options", () => {
    const store = new ResultStore(join(folder, "order.jsonl"));
    store.put(measurement, { value: 0.25, seconds: 1 });
    expect(store.get({ ...measurement, options: { b: 2, a: 1 } })?.value).toBe(0.25);
    expect(store.get({ ...measurement, options: { b: 2, a: 2 } })).toBeUndefined();
  });
});
