import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { syntheticCitation } from "../../src/data/synthetic/synthetic-citation.ts";
import type { LocalAttackReport } from "../../src/experiment/local-report.ts";
import type { NodeRow } from "../../src/files/nodes-file.ts";
import { rowDegrees } from "../../src/graph/degrees.ts";
import { rgnn, rgnnHere, rgnnJson } from "../support/rgnn.ts";

const quickModel = ["--set", "maxEpochs=30", "--set", "hidden=16"];

describe("rgnn attack on single nodes", { timeout: 120_000 }, () => {
  let folder: string;
  let weights: string;
  /** Nodes that the model is right about, the last of another class than the first. */
  let [first, second, third, other] = [0, 0, 0, 0];
  const { labels, adjacency } = syntheticCitation();
  const degrees = rowDegrees(adjacency);
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "rgnn-local-"));
    weights = join(folder, "gcn.safetensors");
    await rgnnJson("train", ...quickModel, "--out", weights);
    const { nodes } = await rgnnJson<{ nodes: NodeRow[] }>("predict", "--weights", weights, "--nodes", "test");
    const right = nodes.filter(({ node, label, prediction }) => label === prediction && degrees[node as number]! > 3);
    [first, second, third] = right.map(({ node }) => node as number) as [number, number, number];
    other = right.find(({ label }) => label !== labels[first])!.node as number;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const attack = (...args: readonly string[]) => rgnnJson<LocalAttackReport>("attack", "--weights", weights, ...args);

  test("reports each node, and writes the flips it reports", async () => {
    const out = join(folder, "flips.csv");
    const report = await attack(
      "--attack",
      "fga",
      "--nodes",
      `${first},${second},${third}`,
      "--epsilon",
      "0.5",
      "--out",
      out,
    );
    expect(report).toMatchObject({
      dataset: "synthetic-citation",
      model: "gcn",
      attack: "fga",
      setting: "direct",
      time: "evasion",
      loss: "margin",
      epsilon: 0.5,
      budget: null,
      influence: "direct",
      towards: null,
      seed: 0,
      device: "cpu",
      numTargets: 3,
      interrupted: false,
    });
    expect(report.targets.map(({ node }) => node)).toEqual([first, second, third]);
    const lines = ["node,source,target,action"];
    for (const target of report.targets) {
      expect(target.degree).toBe(degrees[target.node as number]);
      expect(target.label).toBe(labels[target.node as number]);
      expect(target.flips.length).toBeLessThanOrEqual(target.budget);
      expect(target.marginAdversarial).toBeLessThan(target.marginClean);
      expect(target.clean.probabilities.length).toBe(7);
      for (const { source, target: end, action } of target.flips) lines.push([target.node, source, end, action].join());
      expect(target.neighbourhood.edges.filter(({ action }) => action !== null).length).toBe(target.flips.length);
    }
    expect(readFileSync(out, "utf8")).toBe(`${lines.join("\n")}\n`);
    const succeeded = report.targets.filter(({ success }) => success).length;
    expect(report.successRate).toBe(succeeded / 3);
    expect(report.flips.added + report.flips.removed).toBe(lines.length - 1);
    expect(report.epochs).toBe(lines.length - 1);
  });

  test("selects 40 nodes by default, and finds flips on another model where the attack does", async () => {
    const report = await attack("--attack", "sga", "--influence", "both");
    expect(report).toMatchObject({ surrogate: "sgc", setting: "transfer", epsilon: 0.5, numTargets: 40 });
    for (const { degree, clean, label } of report.targets) {
      expect(degree).toBeGreaterThanOrEqual(2);
      expect(clean.prediction).toBe(label);
    }
    expect(report.successRate).toBeGreaterThan(0.1);
  });

  test("finds the fewest flips, and attacks towards a class", async () => {
    const minimal = await attack("--attack", "fga", "--minimal", "--nodes", `${first},${second}`);
    expect(minimal).toMatchObject({ minimal: true, budget: 20, epsilon: null, successRate: 1 });
    for (const { flips } of minimal.targets) expect(flips.length).toBeGreaterThan(0);
    const goal = ["--towards", String(labels[other]), "--nodes", `${first},${other}`];
    const { targets } = await attack("--attack", "fga", "--budget", "20", ...goal);
    expect(targets.map(({ node }) => node)).toEqual([first]); // the other is of that class already
    expect(targets[0]!.success).toBe(true);
    expect(targets[0]!.adversarial.prediction).toBe(labels[other]);
  });

  test("evaluates a model that was trained on each perturbed graph", async () => {
    const args = ["--attack", "local-dice", "--nodes", "7,300", "--budget", "3", "--model", "gcn", ...quickModel];
    const evasion = await rgnnJson<LocalAttackReport>("attack", ...args);
    const poisoning = await rgnnJson<LocalAttackReport>("attack", ...args, "--poison");
    expect(poisoning.time).toBe("poisoning");
    for (const [k, target] of poisoning.targets.entries()) {
      expect(target.flips).toEqual(evasion.targets[k]!.flips);
      expect(target.marginClean).toBe(evasion.targets[k]!.marginClean);
      expect(target.marginAdversarial).not.toBe(evasion.targets[k]!.marginAdversarial);
    }
  });

  test("makes a table of nodes, and one of several seeds and budgets with their means", async () => {
    const one = await rgnnHere([
      "attack",
      "--weights",
      weights,
      "--attack",
      "fga",
      "--nodes",
      `${first},${second}`,
      "--minimal",
    ]);
    expect(one.stdout).toMatch(/^node +class +degree +budget/);
    expect(one.stdout).toMatch(/success {2}100\.0 %: the prediction of 2 of 2 nodes changed/);
    expect(one.stdout).toMatch(/needed {3}\d+ flips? for \d/);
    const args = ["attack", ...quickModel, "--attack", "local-dice", "--epsilon", "0.5,1", "--seed", "0,3"];
    const several = await rgnnHere(args);
    expect(several.stdout).toMatch(/mean +0\.5 +[\d.]+ ± [\d.]+\nmean +1 +[\d.]+ ± [\d.]+$/m);
  });

  test("reports the same on one thread as on several, with one progress bar", async () => {
    const args = ["--attack", "fga", "--epsilon", "0.5", "--seed", "0"];
    const one = await attack(...args, "--threads", "1");
    const many = await attack(...args, "--threads", "2");
    expect([one.threads, one.numTargets, many.numTargets]).toEqual([1, 40, 40]);
    expect(many.threads).toBe(Math.min(2, availableParallelism()));
    const withoutTimes = ({ targets }: LocalAttackReport) => targets.map(({ seconds: _, ...rest }) => rest);
    expect(withoutTimes(many)).toEqual(withoutTimes(one));
    const { lines } = await rgnnHere(["attack", "--weights", weights, ...args, "--threads", "2"]);
    const shares = lines.filter((line) => line.includes("%")).map((line) => Number.parseInt(line, 10));
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect([shares[0], shares.at(-1)]).toEqual([0, 100]);
  });

  test("says which nodes were spared, and how long brute force would take", async () => {
    const args = ["attack", "--weights", weights, "--nodes", `${first},${second}`];
    const spared = await rgnnHere([...args, "--attack", "fga", "--budget", "0"]);
    expect(spared.stdout).toMatch(/note +2 of 2 nodes have a budget of 0 and were not attacked/);
    const tried = await rgnnHere([...args, "--attack", "exhaustive", "--budget", "2", "--option", "mostTrials=1000"]);
    expect(tried.lines.at(-1)).toMatch(/needs 3946645 evaluations, about \d+ (s|minutes|hours) here/);
    expect(tried.status).toBe(2);
  });

  test("keeps the nodes that are finished when it is interrupted", async () => {
    let sent = false;
    const args = [
      "attack",
      "--weights",
      weights,
      "--attack",
      "exhaustive",
      "--nodes",
      "test",
      "--budget",
      "1",
      "--json",
    ];
    const { status, stdout } = await rgnn(args, (text, child) => {
      if (!sent && text.includes("succeeded for")) sent = child.kill("SIGINT");
    });
    const { interrupted, targets } = JSON.parse(stdout) as LocalAttackReport;
    expect([status, interrupted]).toEqual([130, true]);
    expect(targets.length).toBeGreaterThan(0);
    expect(targets.length).toBeLessThan(2530);
  });

  test.each([
    ["a flag of single nodes with another attack", ["--attack", "dice", "--minimal"], /dice does not use --minimal/],
    ["an unknown class", ["--attack", "fga", "--towards", "x"], /there is no class "x"; the classes are 0, 1, 2/],
    ["an unknown influence", ["--attack", "fga", "--influence", "x"], /must be direct, influencer, both, got "x"/],
    ["a graph to write", ["--attack", "fga", "--out", "a.npz"], /--out must end in \.csv/],
    ["nodes by another name", ["--attack", "fga", "--nodes", "train"], /must be selected, test or a list/],
    ["a surrogate that nobody looks at", ["--attack", "local-dice", "--surrogate", "sgc"], /does not look at a model/],
    [
      "a surrogate that is not linear",
      ["--attack", "nettack", "--surrogate", "gcn"],
      /needs a linear model of two steps/,
    ],
    [
      "a mistake that a thread finds",
      ["--attack", "exhaustive", "--budget", "3"],
      /tries at most 2 flips, got a budget/,
    ],
    [
      "a goal out of reach of PPRGo",
      ["--attack", "local-prbcd", "--surrogate", "pprgo", "--influence", "both"],
      /only be/,
    ],
    ["both budgets", ["--attack", "fga", "--budget", "1", "--epsilon", "1"], /say the same/],
    ["an option it has not", ["--attack", "fga", "--epochs", "3"], /fga has no --epochs; its options are loss/],
    ["weights to poison", ["--attack", "fga", "--poison"], /leave out --weights/],
    ["an unknown attack", ["--attack", "netatack"], /unknown attack "netatack"; known are prbcd.*nettack/],
  ])("%s costs one line and exit code 2", async (_, args, message) => {
    const { status, lines } = await rgnnHere(["attack", "--weights", weights, ...args]);
    expect(lines.at(-1)).toMatch(message);
    expect(status).toBe(2);
  });
});
