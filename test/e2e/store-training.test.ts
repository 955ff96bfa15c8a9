import { cpSync, existsSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { NodeIds } from "../../src/data/node-ids.ts";
import { writeGraphStore } from "../../src/files/store/write-graph-store.ts";
import { Graph } from "../../src/graph/graph.ts";
import { randomGraph } from "../support/any-graph.ts";
import { rgnn, rgnnHere, rgnnJson } from "../support/rgnn.ts";
import { sharedFolder, temporaryFolder } from "../support/temporary-folder.ts";

interface Trained {
  readonly dataset: string;
  readonly preset: string;
  readonly split: { readonly train: number };
  readonly sample?: { readonly train: number };
  readonly epochs: number;
}

const QUICK = ["--device", "cpu", "--set", "hidden=8", "--set", "maxEpochs=2"];

describe("a graph store as a dataset", () => {
  const folder = sharedFolder();
  const store = join(folder, "made.store");
  const weights = join(folder, "pprgo.safetensors");
  const on = ["--dataset", store, "--device", "cpu"];

  beforeAll(async () => {
    await rgnnJson("data", "make", "papers100M", "--nodes", "30000", "--out", store);
    await rgnnJson("train", "--dataset", store, "--model", "pprgo", "--out", weights, ...QUICK);
  });

  /** The last line of a run that must end with exit code 2 and one line. */
  async function refused(...args: string[]): Promise<string> {
    const { status, stdout, lines } = await rgnnHere(args);
    expect([status, stdout]).toEqual([2, ""]);
    return lines.at(-1)!;
  }

  test("trains, with default hyperparameters, and uses the rows of PageRank again", async () => {
    const again = join(temporaryFolder(), "again.safetensors");
    const args = ["train", "--dataset", store, "--model", "pprgo", "--out", again, ...QUICK, "--json"];
    const { status, stdout, lines } = await rgnnHere(args);
    expect(status).toBe(0);
    const report = JSON.parse(stdout) as Trained;
    expect(report).toMatchObject({ dataset: "papers100M", preset: "default", epochs: 2 });
    expect(lines.some((line) => line.startsWith(`rgnn: uses the rows of PageRank in ${store}`))).toBe(true);
    expect(readFileSync(again)).toEqual(readFileSync(weights));
    expect(readdirSync(join(store, "pagerank"))).toHaveLength(1);
  });

  test("trains on a sample, and its weights fit the store", async () => {
    const out = join(temporaryFolder(), "sample.safetensors");
    const sample = await rgnnJson<Trained>(
      ...["train", "--dataset", store, "--model", "soft-median-pprgo", "--train-nodes", "40", "--out", out, ...QUICK],
    );
    expect(sample.sample?.train).toBe(40);
    expect(sample.split.train).toBeGreaterThan(40);
    const evaluated = await rgnnJson<{ numNodes: number }>("evaluate", ...on, "--weights", out, "--most", "10");
    expect(evaluated.numNodes).toBe(10);
  });

  test("predicts and evaluates nodes", async () => {
    const { nodes } = await rgnnJson<{ nodes: { node: number; prediction: number; label: number | null }[] }>(
      ...["predict", ...on, "--weights", weights, "--nodes", "77,5"],
    );
    expect(nodes.map(({ node }) => node)).toEqual([77, 5]);
    for (const { prediction } of nodes) expect(prediction).toBeLessThan(172);
    const predicted = await rgnnJson<{ nodes: { prediction: number; label: number }[] }>(
      ...["predict", ...on, "--weights", weights, "--nodes", "test"],
    );
    const right = predicted.nodes.filter(({ prediction, label }) => prediction === label).length;
    const { accuracy, numNodes } = await rgnnJson<{ accuracy: { clean: number }; numNodes: number }>(
      ...["evaluate", ...on, "--weights", weights],
    );
    expect(numNodes).toBe(predicted.nodes.length);
    expect(accuracy.clean).toBeCloseTo(right / numNodes, 9);
  });

  test("is loaded for other models where it fits, and named with bytes and a way out where it does not", async () => {
    const gcn = await rgnnJson<Trained>("train", "--dataset", store, "--model", "gcn", ...QUICK);
    expect(gcn).toMatchObject({ dataset: "papers100M", preset: "default" });
    const free = vi.spyOn(process, "availableMemory").mockReturnValue(2 ** 20);
    const line = await refused("train", "--dataset", store, "--model", "gcn", ...QUICK).finally(() =>
      free.mockRestore(),
    );
    expect(line).toMatch(
      /made\.store: the whole graph takes 0\.0\d\d GiB in memory, and there are 0\.001 GiB; pprgo and soft-median-pprgo read/,
    );
  });

  test("keeps ids, classes and split of the graph that it was made of, in memory and on the disk", async () => {
    const named = join(temporaryFolder(), "named.store");
    const graph = randomGraph(60, 0.1, 4, { numFeatures: 5 });
    const ids = NodeIds.of(
      Array.from({ length: 60 }, (_, node) => `paper ${node}`),
      "named",
    );
    const classes = Array.from({ length: graph.numClasses }, (_, label) => `class ${label}`);
    const nodes = Int32Array.from({ length: 60 }, (_, node) => node);
    const split = { train: nodes.subarray(0, 20), val: nodes.subarray(20, 40), test: nodes.subarray(40) };
    await writeGraphStore(graph, named, { ids, classes, splits: { public: split } });
    for (const model of ["pprgo", "gcn"]) {
      const { nodes: rows } = await rgnnJson<{ nodes: { node: string; label: string; prediction: string }[] }>(
        ...["predict", "--dataset", named, "--model", model, "--nodes", "paper 7,paper 41", ...QUICK],
      );
      expect(rows.map(({ node }) => node)).toEqual(["paper 7", "paper 41"]);
      expect(rows.map(({ label }) => label)).toEqual([7, 41].map((node) => classes[graph.labels[node]]));
      expect(classes).toContain(rows[0].prediction);
    }
  });

  test("goes by its path if it is made up but called like a known dataset", async () => {
    const cora = join(temporaryFolder(), "cora.store");
    await rgnnJson("data", "make", "cora_ml", "--out", cora);
    const report = await rgnnJson<Trained>("train", "--dataset", cora, "--model", "pprgo", ...QUICK);
    expect(report).toMatchObject({ dataset: cora, preset: "default" });
  });

  test("refuses in one line what does not fit", async () => {
    const predict = ["predict", ...on, "--weights", weights, "--nodes"];
    expect(await refused(...predict, "5,30000")).toContain("made.store has no node 30000; ids are 0 … 29999");
    expect(await refused("train", ...on, "--model", "pprgo", "--directed")).toContain(
      "made.store: a graph store is used as it was made; leave out --directed",
    );
    expect(await refused("train", ...on, "--model", "pprgo", "--data-dir", folder)).toContain("leave out --data-dir");
    expect(await refused("train", ...on, "--model", "pprgo", "--train-nodes", "9999")).toContain(
      "--train-nodes must be",
    );
    expect(await refused("evaluate", ...on, "--weights", weights, "--most", "0")).toContain("--most must be 1 or more");
  });

  test("refuses weights of another store", async () => {
    const other = join(temporaryFolder(), "other.store");
    const graph = randomGraph(80, 0.1, 4, { numFeatures: 5 });
    const nodes = Int32Array.from({ length: 80 }, (_, node) => node);
    const splits = { public: { train: nodes.subarray(0, 20), val: nodes.subarray(20, 40), test: nodes.subarray(40) } };
    await writeGraphStore(graph, other, { splits });
    const args = ["predict", "--dataset", other, "--device", "cpu", "--weights", weights, "--nodes", "5"];
    expect(await refused(...args)).toContain("these weights were trained on papers100M");
    expect(await refused(...args, "--force")).toContain(
      "does not fit pprgo: layers.0.weight is [128, 8], must be [5, 8]",
    );
  });

  test("refuses a store without labels, or without a split that has some", async () => {
    const graph = randomGraph(80, 0.1, 4, { numFeatures: 5 });
    const nodes = Int32Array.from({ length: 80 }, (_, node) => node);
    const splits = { public: { train: nodes.subarray(0, 20), val: nodes.subarray(20, 40), test: nodes.subarray(40) } };
    const unlabelled = join(temporaryFolder(), "unlabelled.store");
    await writeGraphStore(new Graph({ ...graph, labels: graph.labels.map(() => -1) }), unlabelled, { splits });
    const train = (path: string) => refused("train", "--dataset", path, "--model", "pprgo", ...QUICK);
    expect(await train(unlabelled)).toMatch(/node 0 is a train node but has no label; leave it out$/);
    const empty = join(temporaryFolder(), "empty.store");
    await writeGraphStore(graph, empty, { splits: { public: { ...splits.public, val: new Int32Array(0) } } });
    expect(await train(empty)).toContain("has no val nodes");
  });

  test("names stored rows that were cut off", async () => {
    const broken = join(temporaryFolder(), "broken.store");
    cpSync(store, broken, { recursive: true });
    const rows = join(broken, "pagerank", readdirSync(join(broken, "pagerank"))[0]);
    truncateSync(join(rows, "values.f32"), 12);
    const args = ["train", "--dataset", broken, "--model", "pprgo", ...QUICK];
    expect(await refused(...args)).toMatch(
      /values\.f32: is cut off, it has 12 bytes .*; remove its folder, and the rows/,
    );
  });

  test("keeps rows that were pushed before Ctrl-C and goes on with the others", async () => {
    const own = join(temporaryFolder(), "own.store");
    await rgnnJson("data", "make", "arxiv", "--nodes", "4000", "--out", own);
    const args = ["train", "--dataset", own, "--model", "pprgo", ...QUICK, "--set", "epsilon=1e-4"];
    let sent = false;
    const stopped = await rgnn(args, (text, child) => {
      if (!sent && text.includes("pushing")) sent = child.kill("SIGINT");
    });
    expect(stopped.status).toBe(130);
    expect(stopped.lines.at(-1)).toMatch(/interrupted/);
    const [rows] = readdirSync(join(own, "pagerank"));
    expect(existsSync(join(own, "pagerank", rows, "journal.json"))).toBe(true);
    expect((await rgnnHere(args)).status).toBe(0);
    expect(existsSync(join(own, "pagerank", rows, "rows.json"))).toBe(true);
  });
});
