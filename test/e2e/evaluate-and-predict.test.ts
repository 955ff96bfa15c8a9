import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { openParquet } from "../../src/data/formats/parquet.ts";
import type { AttackReport } from "../../src/experiment/attack-victim.ts";
import type { EvaluateReport } from "../../src/experiment/run-evaluate.ts";
import type { TrainReport } from "../../src/experiment/run-train.ts";
import { fileSource } from "../../src/files/file-source.ts";
import type { NodeRow } from "../../src/files/nodes-file.ts";
import { readSafetensors, readWeightsConfig, writeSafetensors } from "../../src/files/weights-files.ts";
import { rgnnHere, rgnnJson } from "../support/rgnn.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

const quickModel = ["--set", "maxEpochs=30", "--set", "hidden=16"];

describe("saved weights", { timeout: 120_000 }, () => {
  const folder = sharedFolder();
  const weights = join(folder, "gcn.safetensors");
  const flips = join(folder, "flips.csv");
  let trained: TrainReport;
  let attacked: AttackReport;
  beforeAll(async () => {
    trained = await rgnnJson<TrainReport>("train", ...quickModel, "--out", weights);
    const quickAttack = ["--attack", "dice", "--epsilon", "0.2"];
    attacked = await rgnnJson<AttackReport>("attack", "--weights", weights, ...quickAttack, "--out", flips);
  });

  test("are evaluated on the clean graph", async () => {
    const report = await rgnnJson<EvaluateReport>("evaluate", "--weights", weights);
    expect(report).toEqual({
      dataset: "synthetic-citation",
      model: "gcn",
      seed: 0,
      device: "cpu",
      numNodes: 2530,
      accuracy: { clean: trained.accuracy.test },
      numFlips: 0,
    });
  });

  test("are evaluated after saved flips, with a row per node", async () => {
    const out = join(folder, "nodes.csv");
    const args = ["evaluate", "--weights", weights, "--flips", flips, "--out", out];
    const report = await rgnnJson<EvaluateReport>(...args);
    expect(report.accuracy).toEqual(attacked.accuracy);
    expect(report.numFlips).toBe(1596);
    const [header, ...lines] = readFileSync(out, "utf8").trimEnd().split("\n");
    expect([header, lines.length]).toEqual(["node,label,prediction,confidence,margin", 2530]);
    const rows = lines.map((line) => line.split(",").map(Number));
    const correct = rows.filter(([, label, prediction]) => label === prediction);
    expect(correct.length / rows.length).toBe(attacked.accuracy.adversarial);
    for (const [, label, prediction, confidence, margin] of rows) {
      expect(confidence).toBeGreaterThan(1 / 7 - 1e-6);
      if (margin !== 0) expect(margin > 0).toBe(label === prediction);
    }
    const { stdout } = await rgnnHere(args);
    expect(stdout).toMatch(/accuracy +0\.\d{4} before, 0\.\d{4} after 1596 flips \(2530 nodes\)/);
  });

  test.each(["evaluate", "predict"])("give a row per node as parquet, by rgnn %s", async (command) => {
    const out = join(folder, `${command}.parquet`);
    await rgnnJson(command, "--weights", weights, "--nodes", "test", "--out", out);
    const table = await openParquet(fileSource(out));
    expect([table.numRows, table.names.length]).toEqual([2530, 5]);
    const { values: labels } = await table.column(1);
    const { values: predictions } = await table.column(2);
    const correct = predictions.filter((prediction: unknown, row: number) => prediction === labels[row]);
    expect(correct.length / 2530).toBe(trained.accuracy.test);
  });

  test("are evaluated on other sets of nodes", async () => {
    const { accuracy } = await rgnnJson<EvaluateReport>("evaluate", "--weights", weights, "--nodes", "train");
    expect(accuracy.clean).toBe(trained.accuracy.train);
  });

  test("classify nodes: some of them, or all", async () => {
    const some = await rgnnJson<{ nodes: NodeRow[] }>("predict", "--weights", weights, "--nodes", "17,4");
    expect(some.nodes.map(({ node }) => node)).toEqual([17, 4]);
    expect(Object.keys(some.nodes[0])).toEqual(["node", "label", "prediction", "confidence", "margin"]);
    const out = join(folder, "all.json");
    await rgnnJson("predict", "--weights", weights, "--out", out);
    const all = JSON.parse(readFileSync(out, "utf8")) as NodeRow[];
    expect(all.length).toBe(2810);
    expect(all[17]).toEqual(some.nodes[0]);
    const { stdout } = await rgnnHere(["predict", "--weights", weights, "--nodes", "17"]);
    expect(stdout).toMatch(/^node +prediction +confidence +label +margin\n-/);
  });

  test("name their dataset, seed and split", () => {
    expect(readWeightsConfig(weights)).toMatchObject({ dataset: "synthetic-citation", seed: 0 });
    expect(readWeightsConfig(weights).splitHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each(["attack", "evaluate", "predict"])(
    "are refused by rgnn %s with another seed, unless forced",
    async (command) => {
      const args = [
        command,
        "--weights",
        weights,
        "--seed",
        "1",
        ...(command === "attack" ? ["--attack", "dice"] : []),
      ];
      const { status, stdout, lines } = await rgnnHere(args);
      expect([status, stdout, lines]).toEqual([
        2,
        "",
        [
          `rgnn: ${weights}: these weights were trained on another split of synthetic-citation, that of seed 0 and not 1; give --seed 0, or --force to use them all the same`,
        ],
      ]);
      const forced = await rgnnHere([...args, "--force", "--json"]);
      expect(forced.status).toBe(0);
      expect(forced.lines[0]).toMatch(/another split of synthetic-citation.*; used all the same$/);
    },
  );

  test("are refused on another graph", async () => {
    const { tensors } = readSafetensors(weights);
    const elsewhere = join(folder, "elsewhere.safetensors");
    const config = { ...readWeightsConfig(weights), dataset: "cora_ml" };
    await writeSafetensors(elsewhere, { tensors, metadata: { rgnn: JSON.stringify(config) } });
    const { status, lines } = await rgnnHere(["evaluate", "--weights", elsewhere]);
    expect([status, lines.length]).toEqual([2, 1]);
    expect(lines[0]).toMatch(/trained on cora_ml, not on synthetic-citation; give --dataset cora_ml, or --force/);
  });

  test("that name no split are used, and stderr says what was not checked", async () => {
    const { tensors } = readSafetensors(weights);
    const old = join(folder, "old.safetensors");
    const { splitHash: _, ...config } = readWeightsConfig(weights);
    await writeSafetensors(old, { tensors, metadata: { rgnn: JSON.stringify(config) } });
    const { status, lines } = await rgnnHere(["evaluate", "--weights", old, "--seed", "1"]);
    expect([status, lines]).toEqual([
      0,
      [
        `rgnn: ${old}: does not name its split, so it was not checked whether it learned from nodes that are test nodes here`,
      ],
    ]);
  });

  test("that come without flips they could have lose nothing: a bad line of the flips costs one line", async () => {
    const bad = join(folder, "bad.csv");
    writeFileSync(bad, "source,target,action\n1,2\n");
    const { status, lines } = await rgnnHere(["evaluate", "--weights", weights, "--flips", bad]);
    expect([status, lines.length]).toEqual([2, 1]);
    expect(lines[0]).toContain("bad.csv: line 2 must be source,target,add or remove");
  });
});
