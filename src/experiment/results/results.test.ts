import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { describe, expect, test, vi } from "vitest";
import { cellOf, outcomeOf, plannedRun } from "../../../test/support/any-runs.ts";
import { rgnnHere } from "../../../test/support/rgnn.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openRunStore } from "../store/open-run-store.ts";
import type { RunStore } from "../store/store.ts";
import { measuringCode } from "../study/code-hash.ts";
import { compareModels } from "./compare-models.ts";
import { groupResults } from "./group-results.ts";
import { checkFilter } from "./known-values.ts";
import { mergeStores } from "./merge-stores.ts";
import { readableRows } from "./readable-rows.ts";
import { TABLE_FORMATS, type TableRow } from "./table-formats.ts";

/** A store with these accuracies, for each model by seed. */
async function storeOf(
  values: Readonly<Record<string, readonly number[]>>,
  place = join(temporaryFolder(), "s.sqlite"),
): Promise<RunStore> {
  const store = await openRunStore(place);
  const runs = Object.entries(values).flatMap(([model, all]) =>
    all.map((value, seed) => ({ ...plannedRun(cellOf({ model }), seed), outcome: outcomeOf(value), finishedAt: 1 })),
  );
  await store.merge(runs);
  return store;
}

describe("groups of results", () => {
  test("have mean, standard error and a bootstrap interval of their own values", async () => {
    const store = await storeOf({ gcn: [0.6, 0.62, 0.64, 0.7], mlp: [0.5, 0.5, 0.5, 0.5], sgc: [0.8] });
    const [gcn, mlp, sgc] = await groupResults(store, {}, ["model"]);
    await store.close();
    expect(gcn).toMatchObject({ group: { model: "gcn" }, count: 4 });
    expect(gcn.mean).toBeCloseTo(0.64, 12);
    expect(gcn.interval![0]).toBeGreaterThanOrEqual(0.6);
    expect(gcn.interval![0]).toBeLessThan(0.64);
    expect(gcn.interval![1]).toBeGreaterThan(0.64);
    expect(mlp.interval).toEqual([0.5, 0.5]);
    expect(sgc).toMatchObject({ interval: null, standardError: null });
  });
});

describe("a graph that was read in two ways", () => {
  test("has a name for each, so that nothing is averaged over both", async () => {
    const store = await storeOf({});
    const { graph, ...rest } = cellOf();
    const graphs = [graph, { ...graph, directed: true, adjacency: "links" }, { ...graph, directed: false }];
    const runs = graphs.map((one) => plannedRun({ ...rest, graph: one }, 0));
    await store.merge(runs.map((run, k) => ({ ...run, outcome: outcomeOf(k / 10), finishedAt: 1 })));
    const groups = await groupResults(store, {}, ["dataset"]);
    expect(groups.map(({ group, count }) => [group.dataset, count])).toEqual([
      ["cora_ml", 2],
      ["cora_ml directed adjacency=links", 1],
    ]);
    await store.close();
  });
});

describe("a filter", () => {
  test("that names what no run has is a mistake, and the message lists what there is", async () => {
    const store = await storeOf({ gcn: [0.6], gdc: [0.7] });
    await store.addRuns("mine", [plannedRun(cellOf({ model: "gcn" }), 0)]);
    await checkFilter(store, { study: "mine", model: ["gdc", "gcn"], epsilon: [0.1], surrogate: [""] });
    await expect(checkFilter(store, { model: ["gcn", "gccn"] })).rejects.toThrow(
      /s\.sqlite: no run has the model gccn; there are gcn, gdc$/,
    );
    await expect(checkFilter(store, { epsilon: [0.3] })).rejects.toThrow("no run has the epsilon 0.3; there are 0.1");
    await expect(checkFilter(store, { surrogate: ["gcn"] })).rejects.toThrow('the surrogate gcn; there are ""');
    await expect(checkFilter(store, { study: "yours" })).rejects.toThrow('has no study "yours"; it has "mine"');
    await store.close();
  });
});

describe("merging stores", () => {
  test("counts and averages runs that workers finish meanwhile", async () => {
    const [from, into] = [await storeOf({}), await storeOf({})];
    const me = { owner: "me", leaseMs: 60_000 };
    const runs = [0, 1].map((seed) => plannedRun(cellOf(), seed));
    await from.addRuns("study", runs);
    await from.take(me);
    await from.finish(runs[0].id, "me", outcomeOf(0.4));
    await from.take(me);
    const studies = from.studies.bind(from);
    vi.spyOn(from, "studies").mockImplementation(async () => {
      await from.finish(runs[1].id, "me", outcomeOf(0.8)); // after the runs of the store were read, before those of its studies
      return studies();
    });
    expect(await mergeStores(into, from)).toEqual({ added: 2, differing: [] });
    for (const filter of [{}, { study: "study" }])
      expect(await into.aggregate(filter, [])).toMatchObject([{ count: 2, mean: 0.6000000000000001 }]);
    for (const store of [from, into]) await store.close();
  });
});

describe("comparing models", () => {
  test("pairs runs with the same seed, which sees what means alone do not", async () => {
    const gcn = [0.6, 0.7, 0.65, 0.55, 0.62];
    const better = gcn.map((value, k) => value + 0.01 + k / 1000);
    const store = await storeOf({ gcn, gdc: better, mlp: [0.6, 0.71, 0.64] });
    const [comparison] = await compareModels(store, {}, ["gdc", "gcn"]);
    expect(comparison).toMatchObject({
      dataset: "cora_ml",
      attack: "prbcd",
      epsilon: 0.1,
      seeds: 5,
      moreRobust: "gdc",
    });
    expect(comparison.difference).toBeCloseTo(0.012, 12);
    const [unsure] = await compareModels(store, {}, ["gcn", "mlp"]);
    expect(unsure).toMatchObject({ seeds: 3, moreRobust: null });
    expect(await compareModels(store, {}, ["gcn", "gat"])).toEqual([]);
    await store.close();
  });

  test("keeps flips that were found on the model itself apart from those of another", async () => {
    const store = await openRunStore(join(temporaryFolder(), "s.sqlite"));
    const runs = [0, 1, 2].flatMap((seed) =>
      [
        { model: "gcn", surrogate: null, value: 0.51 },
        { model: "gdc", surrogate: null, value: 0.46 },
        { model: "gdc", surrogate: { name: "gcn", hyperparameters: {} }, value: 0.71 },
      ].map(({ model, surrogate, value }) => {
        const cell = cellOf({ model });
        const run = plannedRun({ ...cell, attack: { ...cell.attack!, surrogate } }, seed);
        return { ...run, outcome: outcomeOf(value + seed / 1000), finishedAt: 1 };
      }),
    );
    await store.merge(runs);
    const compared = await compareModels(store, {}, ["gdc", "gcn"]);
    expect(compared.map(({ surrogate, seeds, moreRobust }) => [surrogate, seeds, moreRobust])).toEqual([
      ["", 3, "gcn"],
      ["gcn", 3, "gdc"],
    ]);
    await store.close();
  });
});

const ROWS: TableRow[] = [
  { model: "gcn", note: "a_b, 5%", mean: 0.123456, error: null },
  { model: "mlp", note: "x|y", mean: 1, error: 0.5 },
];

describe("tables of results", () => {
  const written = async (format: string) => TABLE_FORMATS[format](ROWS);

  test("as csv, json, Markdown and LaTeX", async () => {
    expect(await written("csv")).toBe('model,note,mean,error\ngcn,"a_b, 5%",0.123456,""\nmlp,x|y,1,0.5\n');
    expect(JSON.parse((await written("json")) as string)).toEqual(ROWS);
    expect(await written("md")).toBe(
      "| model | note | mean | error |\n| --- | --- | ---: | ---: |\n| gcn | a_b, 5% | 0.1235 |  |\n| mlp | x\\|y | 1 | 0.5 |\n",
    );
    expect(await written("tex")).toContain("gcn & a\\_b, 5\\% & 0.1235 &  \\\\\n");
  });
  test("as parquet, with every digit", async () => {
    const bytes = (await written("parquet")) as Uint8Array;
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    expect(await parquetReadObjects({ file })).toEqual(ROWS);
  });
  test("for people show only what tells rows apart", () => {
    const row = (model: string, hyperparameters: object, mean: number) => ({
      ...{
        dataset: "d",
        model,
        hyperparameters: JSON.stringify(hyperparameters),
        options: "{}",
        attack: "dice",
        time: "evasion",
        mean,
      },
    });
    const rows = [row("a", { x: 1, y: 2 }, 0.1), row("a", { x: 1, y: 3 }, 0.2), row("b", { x: 9 }, 0.3)];
    expect(readableRows(rows)).toEqual([
      { dataset: "d", model: "a", hyperparameters: "y=2", attack: "dice", mean: 0.1 },
      { dataset: "d", model: "a", hyperparameters: "y=3", attack: "dice", mean: 0.2 },
      { dataset: "d", model: "b", hyperparameters: "", attack: "dice", mean: 0.3 },
    ]);
    expect(readableRows([])).toEqual([]);
  });
});

describe("rgnn results", () => {
  test("filters, groups, lists runs, compares, merges and writes files", async () => {
    const folder = temporaryFolder();
    const here = join(folder, "here.sqlite");
    const there = join(folder, "there.sqlite");
    await (await storeOf({ gcn: [0.6, 0.62], mlp: [0.5, 0.5] }, here)).close();
    await (await storeOf({ gdc: [0.7, 0.71], gcn: [0.6, 0.63] }, there)).close();
    const results = (...args: string[]) => rgnnHere(["results", "--store", here, ...args]);
    expect((await results("--model", "gcn")).stdout).toMatch(/cora_ml +gcn +prbcd +0\.1000 +2 +0\.6100 +0\.0100/);
    expect((await results("--runs", "--model", "mlp", "--seed", "1")).stdout).toMatch(/1 +done +0\.5000/);
    expect((await results("--compare", "gcn,mlp")).stdout).toMatch(/prbcd .* 2 +0\.6100 +0\.5000 +0\.1100/);
    expect((await results("--runs", "--limit", "1")).lines).toEqual(["these are the first 1 rows; --limit takes more"]);
    expect((await results("--runs", "--json")).lines).toEqual([""]); // nothing is cut
    const merged = await results("--merge", there, "--by", "model", "--json");
    expect((JSON.parse(merged.stdout) as TableRow[]).map(({ model, count }) => [model, count])).toEqual([
      ["gcn", 2],
      ["gdc", 2],
      ["mlp", 2],
    ]);
    expect(merged.lines).toEqual([
      `2 runs of ${there} are in ${here} now`,
      expect.stringMatching(/^1 runs have other results there/),
    ]);
    const out = join(folder, "table.tex");
    expect((await results("--out", out)).status).toBe(0);
    expect(readFileSync(out, "utf8")).toContain("\\begin{tabular}");
    expect(await results("--model", "gat")).toMatchObject({
      status: 2,
      lines: [expect.stringMatching(/no run has the model gat; there are/)],
    });
    expect((await results("--current")).stdout).toBe("no results\n"); // those here are of a code that never was
    expect((await results("--code", "a", "--by", "code")).stdout).toMatch(/a +6 +/);
  });

  test("merges what belongs to a study as part of it, and leaves behind what newer code has measured", async () => {
    const folder = temporaryFolder();
    const [there, here] = ["there.sqlite", "here.sqlite"].map((name) => join(folder, name));
    const store = await openRunStore(there);
    const run = (code: string, value: number, finishedAt: number) => {
      const cell = { ...cellOf({}), code: { training: code, attack: code } };
      return { ...plannedRun(cell, 0), outcome: outcomeOf(value), finishedAt };
    };
    const newer = run("newer", 0.4, 2);
    await store.addRuns("mine", [newer]);
    await store.merge([newer, run("older", 0.5, 1)]);
    await store.keepText("mine", "name: mine");
    await store.close();
    const { lines } = await rgnnHere(["results", "--store", here, "--merge", there, "--newest"]);
    expect(lines).toEqual([`1 runs of ${there} are in ${here} now`]);
    const merged = await openRunStore(here);
    expect((await merged.finished({ study: "mine" })).map(({ outcome }) => outcome.value)).toEqual([0.4]);
    expect(await merged.studies()).toMatchObject([{ name: "mine", text: "name: mine", counts: { done: 1 } }]);
    expect(await merged.count()).toEqual({ waiting: 0, running: 0, done: 1, failed: 0 });
    await merged.close();
  });

  test("takes over only what this code has measured", async () => {
    const folder = temporaryFolder();
    const [there, here] = ["there.sqlite", "here.sqlite"].map((name) => join(folder, name));
    const store = await openRunStore(there);
    const [now] = measuringCode();
    const runs = [now, "older"].map((code, seed) => {
      const cell = { ...cellOf({}), code: { training: code, attack: code } };
      return { ...plannedRun(cell, seed), outcome: outcomeOf(0.4 + seed / 10), finishedAt: seed };
    });
    await store.addRuns("mine", runs);
    await store.merge(runs);
    await store.close();
    const { lines } = await rgnnHere(["results", "--store", here, "--merge", there, "--current"]);
    expect(lines).toEqual([`1 runs of ${there} are in ${here} now`]);
    const merged = await openRunStore(here);
    expect((await merged.finished({ study: "mine" })).map(({ outcome }) => outcome.value)).toEqual([0.4]);
    await merged.close();
  });

  test.each([
    [["--merge", "nowhere.sqlite"], /nowhere\.sqlite: there is no store/],
    [["--newest"], /--newest is about what is taken over; give --merge too/],
    [["--by", "modle"], /knows no column "modle"; there are dataset, split/],
    [["--format", "xls"], /unknown format "xls"; known are csv, json, md, tex, parquet/],
    [["--state", "done"], /--state is about single runs; give --runs too/],
    [["--compare", "gcn"], /--compare takes two models, got gcn/],
  ])("refuses %j in one line", async (args, message) => {
    const { status, lines } = await rgnnHere(["results", "--store", join(temporaryFolder(), "s.sqlite"), ...args]);
    expect([status, lines.length]).toEqual([2, 1]);
    expect(lines[0]).toMatch(message);
  });

  test.each([["results"], ["status"], ["report"]])("%s makes no store where there is none", async (command) => {
    const place = join(temporaryFolder(), "none.sqlite");
    const { status, lines } = await rgnnHere([command, "--store", place]);
    expect([status, lines]).toEqual([
      2,
      [`rgnn: ${place}: there is no store; measure a study with rgnn run, or name one with --store`],
    ]);
    expect(existsSync(place)).toBe(false);
  });
});
