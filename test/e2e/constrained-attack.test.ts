import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { syntheticCitation } from "../../src/data/synthetic/synthetic-citation.ts";
import type { AttackReport } from "../../src/experiment/attack-victim.ts";
import { readFlips } from "../../src/files/flips-file.ts";
import { rowDegrees } from "../../src/graph/degrees.ts";
import { rgnnHere, rgnnJson } from "../support/rgnn.ts";
import { sharedFolder, temporaryFolder } from "../support/temporary-folder.ts";

const quick = ["--budget", "60", "--block-size", "20000", "--epochs", "8", "--polish", "1"];
const weights = join(sharedFolder(), "gcn.safetensors");
const graph = syntheticCitation();

const attack = (...args: string[]) => rgnnJson<AttackReport>("attack", "--weights", weights, ...quick, ...args);

describe("rgnn attack", { timeout: 120_000 }, () => {
  beforeAll(() => rgnnJson("train", "--set", "maxEpochs=30", "--set", "hidden=16", "--out", weights));

  test("lowers the accuracy, counted in nodes, unless told otherwise", async () => {
    const { objective, score, accuracy, numTargets, constraints } = await attack();
    expect(objective).toBe("accuracy");
    expect(score.adversarial).toBe(Math.round(accuracy.adversarial * numTargets));
    expect(constraints).toBeNull();
  });

  test("lowers another objective, with a loss of its own unless --loss names one", async () => {
    const targeted = await attack("--objective", "targeted:2");
    expect(targeted).toMatchObject({ objective: "targeted:2", loss: "targeted:2" });
    expect(targeted.score.adversarial).toBeLessThan(targeted.score.clean);
    const margin = await attack("--objective", "margin", "--loss", "ce");
    expect(margin).toMatchObject({ objective: "margin", loss: "ce" });
    expect(margin.score.adversarial).toBeLessThan(margin.score.clean);
  });

  test("reports the objective of the victim, not of the surrogate", async () => {
    const own = await attack("--objective", "margin");
    const args = ["--attack", "grbcd", "--surrogate", "sgc", "--objective", "margin"];
    const report = await rgnnJson<AttackReport>("attack", "--weights", weights, "--budget", "20", ...args);
    expect(report.setting).toBe("transfer");
    expect(report.score.clean).toBe(own.score.clean);
  });

  test("keeps to limits per node, protected nodes and pairs, and one kind of flip", async () => {
    const folder = temporaryFolder();
    const nodes = join(folder, "nodes.txt");
    const pairs = join(folder, "pairs.csv");
    const out = join(folder, "flips.csv");
    writeFileSync(nodes, "5\n7\n");
    writeFileSync(pairs, "source,target\n0,9\n11,3\n");
    const rules = ["--per-node", "0.5", "--only", "additions", "--protect-nodes", nodes, "--protect-edges", pairs];
    const report = await attack(...rules, "--out", out);
    expect(report.constraints).toMatchObject({
      only: "additions",
      perNode: 0.5,
      protectedNodes: 2,
      protectedEdges: 2,
      between: null,
    });
    expect(report.flips.removed).toBe(0);
    expect(report.flips.added).toBeGreaterThan(0);
    const { sources, targets } = readFlips(out, graph);
    const degrees = rowDegrees(graph.adjacency);
    const counts = new Map<number, number>();
    for (const node of [...sources, ...targets]) counts.set(node, (counts.get(node) ?? 0) + 1);
    for (const [node, count] of counts) expect(count).toBeLessThanOrEqual(0.5 * degrees[node] + 0.5);
    expect(counts.has(5) || counts.has(7)).toBe(false);
  });

  test("flips only pairs between two sets, by ids or by name", async () => {
    const out = join(temporaryFolder(), "flips.csv");
    const report = await attack("--between", "0,1,2:train", "--out", out);
    expect(report.constraints!.between).toEqual([3, 140]);
    const { sources, targets } = readFlips(out, graph);
    expect(sources.length).toBe(60);
    for (const [k, i] of sources.entries()) expect(i <= 2 || targets[k] <= 2).toBe(true);
  });

  test("says in its table what it was after and what it was allowed", async () => {
    const asked = ["--epochs", "8", "--no-polish", "--objective", "margin", "--only", "removals"];
    const args = ["attack", "--weights", weights, ...asked];
    const { stdout } = await rgnnHere([...args, "--budget", "60"]);
    expect(stdout).toMatch(/objective +margin: score \d\.\d+ clean, -?\d\.\d+ on the perturbed, discrete graph/);
    expect(stdout).toMatch(/constraints +only removals: 7981 pairs may be flipped/);
    const several = await rgnnHere([...args, "--epsilon", "0.01,0.02"]);
    expect(several.stdout).toMatch(/to lower margin/);
    expect(several.stdout).toMatch(/adversarial +score/);
  });

  const mistakes: [string, string[], RegExp][] = [
    [
      "an unknown objective",
      ["--objective", "f1"],
      /unknown objective "f1"; known are accuracy, margin and targeted:<class>/,
    ],
    ["an unknown class", ["--objective", "targeted:7"], /there is no class "7"; classes are 0, 1, 2, 3, 4, 5, 6/],
    ["another kind of flip", ["--only", "rewiring"], /--only must be additions or removals, got "rewiring"/],
    ["half a pair of sets", ["--between", "test"], /--between must be two sets of nodes such as 0,5:test, got "test"/],
    ["a node that is not there", ["--protect-nodes", "99999"], /has no node 99999/],
    ["a file that is not there", ["--protect-edges", "no.csv"], /no.csv: cannot be read \(ENOENT\)/],
    ["a negative share", ["--per-node", "-1"], /--per-node must be a share of the degree, got -1/],
    ["constraints that allow nothing", ["--per-node", "0"], /the constraints allow 0 of 3946645 pairs to be flipped/],
  ];
  test.each(mistakes)("refuses %s in one line", async (_, args, message) => {
    const { status, lines } = await rgnnHere(["attack", "--weights", weights, ...quick, ...args]);
    expect(status).toBe(2);
    expect(lines.at(-1)).toMatch(message);
  });
});
