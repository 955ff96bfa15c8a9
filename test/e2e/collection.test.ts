import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { AttackReport } from "../../src/experiment/attack-victim.ts";
import { type CollectionReport, worstCases } from "../../src/experiment/run-collection.ts";
import { readCollection } from "../../src/files/collection/collection-files.ts";
import { readFlips } from "../../src/files/flips-file.ts";
import { loadGraph } from "../../src/files/load.ts";
import { rgnnHere, rgnnJson } from "../support/rgnn.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

const quickModel = ["--set", "maxEpochs=30", "--set", "hidden=16"];
const dice = ["--attack", "dice"];

describe("a collection of the strongest flips", { timeout: 120_000 }, () => {
  const folder = sharedFolder();
  const weights = join(folder, "gcn.safetensors");
  const collection = join(folder, "strongest.json");
  const attack = (...args: string[]) => ["attack", "--weights", weights, ...args, "--save-collection", collection];
  let weak: AttackReport;
  let strong: AttackReport;
  beforeAll(async () => {
    await rgnnJson("train", ...quickModel, "--out", weights);
    weak = await rgnnJson<AttackReport>(...attack(...dice, "--budget", "300"));
    const eva = ["--attack", "eva", "--budget", "300", "--epochs", "4"];
    strong = await rgnnJson<AttackReport>(...attack(...eva, "--out", join(folder, "flips.csv")));
    await rgnnJson(...attack(...dice, "--budget", "50"));
  });

  test("replaces flips by stronger ones for the same budget, and only by these", async () => {
    expect(strong.accuracy.adversarial).toBeLessThan(weak.accuracy.adversarial);
    const { entries } = readCollection(collection);
    expect(entries.map(({ budget, attack }) => [budget, attack])).toEqual([
      [50, "dice"],
      [300, "eva"],
    ]);
    expect(entries[1].accuracy).toEqual(strong.accuracy);
    const before = readFileSync(collection, "utf8");
    const { lines } = await rgnnHere(attack(...dice, "--budget", "300"));
    expect(lines.at(-1)).toMatch(/keeps what it has for gcn, seed 0, 300 flips: 0\.\d{4} with eva, found 0\.\d{4}$/);
    expect(readFileSync(collection, "utf8")).toBe(before);
  });

  test("holds the flips that were found, by the ids of the input", async () => {
    const { graph, ids } = await loadGraph("synthetic-citation");
    const { sources, targets } = readFlips(join(folder, "flips.csv"), graph, ids);
    const flips = Array.from(sources, (source, k) => [ids.idOf(source), ids.idOf(targets[k])]);
    expect(readCollection(collection).entries[1].flips).toEqual(flips);
  });

  test("is what a model is evaluated against, and the worst of each budget counts", async () => {
    const report = await rgnnJson<CollectionReport>("evaluate", "--weights", weights, "--collection", collection);
    expect(report).toMatchObject({ dataset: "synthetic-citation", model: "gcn", seed: 0, numNodes: 2530 });
    expect(report.entries.map(({ budget, numFlips }) => [budget, numFlips])).toEqual([
      [50, 50],
      [300, strong.flips.added + strong.flips.removed],
    ]);
    for (const { accuracy, accuracyThere } of report.entries) expect(accuracy).toBe(accuracyThere); // the same model
    expect(report.accuracy.clean).toBe(strong.accuracy.clean);
    expect(report.accuracy.worst[1]).toEqual({ budget: 300, accuracy: strong.accuracy.adversarial });
  });

  test("tests another model too, in a line per entry and one for the worst case", async () => {
    const sgc = ["--model", "sgc", "--set", "maxEpochs=20"];
    const { stdout, status } = await rgnnHere(["evaluate", ...sgc, "--collection", collection]);
    expect(status).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBe(6);
    expect(lines[0]).toMatch(/^sgc on synthetic-citation, seed 0, cpu: accuracy 0\.\d{4} on the clean graph/);
    expect(lines[4]).toMatch(/^ +300 +\d+ +eva +gcn +0\.\d{4} +0\.\d{4}$/);
    expect(lines[5]).toMatch(/^worst case accuracy {2}0\.\d{4} after 50 flips, 0\.\d{4} after 300 flips$/);
  });

  const evaluate = (...args: string[]) => ["evaluate", "--weights", weights, ...args];
  const mistakes: [string, () => string[], RegExp][] = [
    [
      "a split that it has no flips for",
      () => ["evaluate", ...quickModel, "--seed", "1", "--collection", collection],
      /has flips for synthetic-citation, but not for the test nodes of split per-class:20, seed 1; give --split per-class:20 --seed 0$/,
    ],
    [
      "a collection of other graphs",
      () => {
        const other = join(folder, "other.json");
        const [{ graph }] = readCollection(collection).entries;
        writeFileSync(other, readFileSync(collection, "utf8").replaceAll(graph.sha256, "f".repeat(64)));
        return evaluate("--collection", other);
      },
      /none of its flips fit synthetic-citation; it holds flips for synthetic-citation \(sha256 ffffffffffff…\)$/,
    ],
    [
      "a collection without entries",
      () => {
        writeFileSync(join(folder, "empty.json"), '{"format":"rgnn-collection","version":1,"entries":[]}');
        return evaluate("--collection", join(folder, "empty.json"));
      },
      /it is empty; fill it with rgnn attack --save-collection$/,
    ],
    ["a collection that is not there", () => evaluate("--collection", "cora"), /known are citeseer, cora_ml$/],
    ["flips besides a collection", () => evaluate("--collection", collection, "--flips", "f.csv"), /give one of them$/],
    ["predictions on many graphs", () => evaluate("--collection", collection, "--out", "n.csv"), /leave it out$/],
    ["flips within constraints", () => attack("--only", "additions"), /under no constraint; leave out the constraints/],
    ["flips with another aim", () => attack("--objective", "margin"), /leave out --objective$/],
    ["flips at some nodes", () => attack("--nodes", "0,5"), /leave out --nodes$/],
    [
      "a file that is no collection",
      () => [...attack(...dice).slice(0, -1), join(folder, "flips.csv")],
      /flips\.csv: the file of a collection must end in \.json; name one, or a folder$/,
    ],
  ];
  test.each(mistakes)("refuses %s in one line", async (_, args, message) => {
    const { status, lines, stdout } = await rgnnHere(args());
    expect([status, stdout]).toEqual([2, ""]);
    expect(lines.at(-1)).toMatch(message);
  });
});

test("worst cases are the lowest accuracies, in ascending order of the budgets", () => {
  const outcomes = [
    { budget: 9, accuracy: 0.5 },
    { budget: 3, accuracy: 0.7 },
    { budget: 9, accuracy: 0.4 },
  ];
  expect(worstCases(outcomes)).toEqual([
    { budget: 3, accuracy: 0.7 },
    { budget: 9, accuracy: 0.4 },
  ]);
});
