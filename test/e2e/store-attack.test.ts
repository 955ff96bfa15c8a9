import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { rgnn, rgnnHere, rgnnJson } from "../support/rgnn.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

interface Attacked {
  readonly numTargets: number;
  readonly targets: readonly { readonly node: number; readonly budget: number; readonly flips: readonly object[] }[];
  readonly residentBytes: number;
}

describe("rgnn attack on a graph store", () => {
  const folder = sharedFolder();
  const store = join(folder, "made.store");
  const weights = join(folder, "pprgo.safetensors");
  const on = ["attack", "--dataset", store, "--device", "cpu", "--weights", weights, "--attack", "local-prbcd"];
  const quick = ["--block-size", "200", "--epochs", "4"];

  beforeAll(async () => {
    await rgnnJson("data", "make", "papers100M", "--nodes", "20000", "--out", store);
    const set = ["--set", "hidden=8", "--set", "maxEpochs=2"];
    await rgnnJson("train", "--dataset", store, "--model", "pprgo", "--device", "cpu", "--out", weights, ...set);
  });

  test("attacks nodes by number, labelled or not, and writes their flips", async () => {
    const out = join(folder, "flips.csv");
    const { status, stdout, lines } = await rgnnHere([...on, "--nodes", "5,77", ...quick, "--out", out, "--json"]);
    expect(status).toBe(0);
    expect(lines.some((line) => line.includes("2 of 2 nodes have no label"))).toBe(true);
    const { targets } = JSON.parse(stdout) as Attacked;
    expect(targets.map(({ node }) => node)).toEqual([5, 77]);
    for (const { flips, budget } of targets) expect(flips.length).toBeLessThanOrEqual(budget);
    const numFlips = targets.reduce((count, { flips }) => count + flips.length, 0);
    expect(readFileSync(out, "utf8").trim().split("\n")).toHaveLength(numFlips + 1);
  });

  test("leaves out nodes that are of the class to attack towards already", async () => {
    const predicted = await rgnnJson<{ nodes: { prediction: number }[] }>(
      ...["predict", "--dataset", store, "--device", "cpu", "--weights", weights, "--nodes", "5"],
    );
    const towards = ["--towards", String(predicted.nodes[0].prediction)];
    const { status, lines } = await rgnnHere([...on, ...quick, "--nodes", "5", ...towards]);
    expect([status, lines.at(-1)]).toEqual([2, "rgnn: local-prbcd: there are no nodes to attack"]);
    expect(lines.some((line) => line.includes("1 of 1 nodes are of the class to attack towards already"))).toBe(true);
  });

  test("selects nodes from the test nodes where none are named", async () => {
    const refused = await rgnnHere([...on, ...quick]);
    expect(refused.status).toBe(2); // 38 test nodes are too few to select 40
    expect(refused.lines.at(-1)).toMatch(/nodes have 2 or more edges, 40 are selected; name nodes with --nodes$/);
  });

  test.each([
    [
      ["--attack", "nettack", "--nodes", "5"],
      /nettack needs the whole graph in memory; on a graph store there is local-prbcd/,
    ],
    [["--nodes", "20000"], /20000/],
    [["--nodes", "5", "--influence", "both"], /attacked at the node itself; leave out --influence both/],
    [["--nodes", "5", "--poison"], /need the whole graph in memory|trained anew/],
    [["--nodes", "5", "--budget", "500", "--block-size", "20"], /budget 500 must be at most the block size, 20/],
    [["--nodes", "5", "--directed"], /a graph store is used as it was made; leave out --directed/],
  ])("refuses %s in one line", async (args, reason) => {
    const { status, stdout, lines } = await rgnnHere([...on, ...args]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(lines.at(-1)).toMatch(reason);
  });

  test("bench local --scale measures stores of several sizes and draws them", async () => {
    const plot = join(folder, "scale.svg");
    const args = ["bench", "local", "--scale", folder, "--nodes", "3000,6000", "--plot", plot, "--json"];
    const { status, stdout } = await rgnn(args);
    expect(status).toBe(0);
    const { scale } = JSON.parse(stdout) as { scale: { nodes: number; model: string; secondsPerEpoch: number }[] };
    expect(new Set(scale.map(({ nodes }) => nodes))).toEqual(new Set([3000, 6000]));
    expect(scale).toHaveLength(8); // two models, two block sizes
    for (const { secondsPerEpoch } of scale) expect(secondsPerEpoch).toBeGreaterThan(0);
    expect(readFileSync(plot, "utf8")).toMatch(/^<svg/);
  });
});
