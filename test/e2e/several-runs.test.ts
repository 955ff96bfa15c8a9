import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AttackReport } from "../../src/experiment/attack-victim.ts";
import type { AttackMean, Several, TrainMean } from "../../src/experiment/run-several.ts";
import type { TrainReport } from "../../src/experiment/run-train.ts";
import { rgnnHere, rgnnJson } from "../support/rgnn.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

const quickModel = ["--set", "maxEpochs=20", "--set", "hidden=8"];

describe("several seeds and budgets in one command", { timeout: 120_000 }, () => {
  const folder = sharedFolder();
  const weights = join(folder, "gcn-{seed}.safetensors");

  test("train each seed, save each, and report mean and standard error", async () => {
    const args = ["train", ...quickModel, "--seed", "0,3", "--out", weights];
    const { runs, mean, standardError } = await rgnnJson<Several<TrainReport, TrainMean>>(...args);
    expect(runs.map(({ seed }) => seed)).toEqual([0, 3]);
    const [first, second] = runs.map(({ accuracy }) => accuracy.test);
    expect(mean.accuracy.test).toBeCloseTo((first + second) / 2, 12);
    expect(standardError.accuracy.test).toBeCloseTo(Math.abs(first - second) / 2, 12);
    const alone = await rgnnJson<TrainReport>("train", ...quickModel, "--seed", "3");
    expect(alone.accuracy).toEqual(runs[1].accuracy); // the same run, whatever came before it
    for (const seed of [0, 3]) expect(existsSync(join(folder, `gcn-${seed}.safetensors`))).toBe(true);
  });

  test("train all seeds side by side to the models of one by one, and save each", async () => {
    const out = join(folder, "beside-{seed}.safetensors");
    const beside = ["train", ...quickModel, "--seed", "0-2", "--side-by-side", "--out", out];
    const { runs } = await rgnnJson<Several<TrainReport, TrainMean>>(...beside);
    expect(runs.map(({ seed, sideBySide, epochs }) => [seed, sideBySide, epochs])).toEqual([
      [0, 3, 20],
      [1, 3, 20],
      [2, 3, 20],
    ]);
    const evaluated = await rgnnJson<{ accuracy: { clean: number } }>(
      "evaluate",
      "--weights",
      join(folder, "beside-2.safetensors"),
      "--seed",
      "2",
    );
    expect(evaluated.accuracy.clean).toBe(runs[2].accuracy.test);
    const alone = await rgnnJson<TrainReport>("train", ...quickModel, "--seed", "2");
    expect(runs[2].accuracy.test).toBeCloseTo(alone.accuracy.test, 2);
    const { status, lines } = await rgnnHere(["train", ...quickModel, "--side-by-side"]);
    expect([status, lines]).toEqual([2, ["rgnn: --side-by-side takes several seeds, such as --seed 0-31"]]);
  });

  test("attack each seed with each budget, and report the means by budget", async () => {
    const out = join(folder, "flips-{seed}-{epsilon}.csv");
    const attack = ["--attack", "dice", "--epsilon", "0.02:0.1:2", "--seed", "0,3", "--out", out];
    const args = ["attack", "--weights", weights, ...attack];
    const { runs, mean, standardError, interrupted } = await rgnnJson<Several<AttackReport, AttackMean[]>>(...args);
    expect(runs.map(({ seed, epsilon }) => [seed, epsilon])).toEqual([
      [0, 0.02],
      [0, 0.1],
      [3, 0.02],
      [3, 0.1],
    ]);
    expect(mean.map(({ epsilon, budget }) => [epsilon, budget])).toEqual([
      [0.02, 160],
      [0.1, 798],
    ]);
    const adversarial = [runs[1], runs[3]].map(({ accuracy }) => accuracy.adversarial);
    expect(mean[1].accuracy.adversarial).toBeCloseTo((adversarial[0] + adversarial[1]) / 2, 12);
    expect(standardError[1].accuracy.adversarial).toBeCloseTo(Math.abs(adversarial[0] - adversarial[1]) / 2, 12);
    expect(interrupted).toBe(false);
    expect(readFileSync(join(folder, "flips-3-0.02.csv"), "utf8").trimEnd().split("\n").length).toBe(161);
    const { stdout } = await rgnnHere(args);
    expect(stdout).toMatch(/mean +0\.1 +798 +0\.\d{4} ± 0\.\d{4} +0\.\d{4} ± 0\.\d{4}/);
  });

  test("find out before the first run that the weights of a later one are missing", async () => {
    const args = ["attack", "--weights", weights, "--attack", "dice", "--seed", "0,9"];
    const { status, stdout, lines } = await rgnnHere(args);
    expect([status, stdout, lines.length]).toEqual([2, "", 1]);
    expect(lines[0]).toContain("gcn-9.safetensors: cannot be opened (ENOENT)");
  });

  test("compare chosen models under chosen attacks", async () => {
    const args = ["demo", "--models", "sgc,mlp", "--attacks", "dice", "--epsilon", "0.05", "--seed", "0,3"];
    const demo = await rgnnHere([...args, "--out", folder, "--json"]);
    const { runs, mean, standardError, files } = JSON.parse(demo.stdout);
    expect(runs.map(({ seed }: { seed: number }) => seed)).toEqual([0, 3]);
    expect(Object.keys(mean.clean)).toEqual(["sgc", "mlp"]);
    expect(mean.rows[0]).toMatchObject({ attack: "dice", epsilon: 0.05, numFlips: 399 });
    expect(mean.clean.sgc).toBeCloseTo((runs[0].clean.sgc + runs[1].clean.sgc) / 2, 12);
    expect(standardError.rows[0].accuracy.mlp).toBeGreaterThanOrEqual(0);
    expect(readFileSync(files.report, "utf8").includes("Repeated with seeds 0 and 3")).toBe(true);
    const again = await rgnnHere([...args, "--out", folder, "--json"]);
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(demo.stdout)); // from the store beside the report
    expect(again.lines.some((line) => / of \d+ runs/.test(line))).toBe(false); // nothing is measured twice
    const one = await rgnnHere(["demo", "--models", "sgc", "--attacks", "dice", "--out", folder, "--json"]);
    expect(Object.keys(JSON.parse(one.stdout))).toEqual(["dataset", "seed", "clean", "rows", "interrupted", "files"]);
  });
});
