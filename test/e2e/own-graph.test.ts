import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AttackReport } from "../../src/experiment/attack-victim.ts";
import type { TrainReport } from "../../src/experiment/run-train.ts";
import { loadGraph } from "../../src/files/load.ts";
import { rgnnHere, rgnnJson } from "../support/rgnn.ts";
import { writeFiles } from "../support/small-graph-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const NUM_NODES = 127;

/** Three pairs and a lone node come first, then a ring with chords of two classes. */
function edgesOfRing(): [number, number][] {
  const edges: [number, number][] = Array.from({ length: 3 }, (_, k) => [2 * k, 2 * k + 1]);
  for (let node = 7; node < NUM_NODES; node++) {
    edges.push([node, node + 1 === NUM_NODES ? 7 : node + 1]);
    if (node + 8 < NUM_NODES) edges.push([node, node + 8]);
  }
  return edges;
}

function writeOwnGraph(): string {
  const folder = join(temporaryFolder(), "own");
  const lines = (rows: readonly unknown[]) => new TextEncoder().encode(`${rows.join("\n")}\n`);
  const nodes = Array.from({ length: NUM_NODES }, (_, node) => node);
  writeFiles(
    {
      "edges.csv": lines(["source,target", ...edgesOfRing().map((edge) => edge.join())]),
      "features.csv": lines(nodes.map((node) => [node % 2, 1 - (node % 2), (node % 5) / 5].join())),
      "labels.csv": lines(nodes.map((node) => node % 2)),
    },
    folder,
  );
  return folder;
}

const quick = ["--set", "maxEpochs=5", "--set", "hidden=4", "--attack", "dice", "--budget", "20"];

describe("a graph of one's own", { timeout: 60_000 }, () => {
  test("predictions name nodes and classes as the input does", async () => {
    const dataset = writeOwnGraph();
    const labels = Array.from({ length: NUM_NODES }, (_, node) => (node % 2 ? "odd, very" : "even"));
    writeFileSync(
      join(dataset, "labels.csv"),
      `id,label\n${labels.map((name, node) => `${node},"${name}"`).join("\n")}\n`,
    );
    const out = join(temporaryFolder(), "nodes.csv");
    const train = ["--set", "maxEpochs=5", "--set", "hidden=4"];
    const { status } = await rgnnHere(["predict", "--dataset", dataset, ...train, "--nodes", "7,12", "--out", out]);
    expect(status).toBe(0);
    const [, first, second] = readFileSync(out, "utf8").split("\n");
    expect(first).toMatch(/^7,"odd, very",(even|"odd, very"),0\.\d+,/);
    expect(second).toMatch(/^12,even,(even|"odd, very"),0\.\d+,/);
  });

  test("flips are edges and pairs of the input file", async () => {
    const dataset = writeOwnGraph();
    const out = join(temporaryFolder(), "flips.csv");
    const { status, lines } = await rgnnHere(["attack", "--dataset", dataset, ...quick, "--out", out]);
    expect(status).toBe(0);
    expect(lines.join("\n")).toContain(
      "own: 7 of 127 nodes and 3 edges are outside the largest component and left out",
    );
    const listed = new Set(edgesOfRing().map(([a, b]) => (a < b ? `${a},${b}` : `${b},${a}`)));
    const flips = readFileSync(out, "utf8").trim().split("\n").slice(1);
    const removed = flips.filter((line) => line.endsWith("remove")).map((line) => line.replace(",remove", ""));
    expect(removed.length).toBeGreaterThan(0);
    for (const pair of removed) expect(listed).toContain(pair);
    const added = flips.filter((line) => line.endsWith("add")).map((line) => line.replace(",add", ""));
    for (const pair of added) expect(listed).not.toContain(pair);
  });

  test("--nodes takes the ids of the input, and says which it does not know", async () => {
    const dataset = writeOwnGraph();
    const attack = ["attack", "--dataset", dataset, ...quick];
    expect((await rgnnJson<AttackReport>(...attack, "--nodes", "126,7")).numTargets).toBe(2);
    const left = await rgnnHere([...attack, "--nodes", "3"]);
    expect([left.status, left.lines.at(-1)]).toEqual([
      2,
      `rgnn: node 3 of ${join(dataset, "edges.csv")} is not in the largest component; --all-components keeps it`,
    ]);
    const unknown = await rgnnHere([...attack, "--nodes", "127"]);
    expect([unknown.status, unknown.lines.at(-1)]).toEqual([
      2,
      `rgnn: ${join(dataset, "edges.csv")} has no node 127; ids go from 7 to 126`,
    ]);
  });

  test("--all-components keeps every node for train, attack and info", async () => {
    const dataset = writeOwnGraph();
    const all = ["--dataset", dataset, "--all-components"];
    const report = await rgnnJson<AttackReport>("attack", ...all, ...quick, "--nodes", "3,126");
    expect(report.numTargets).toBe(2);
    expect((await rgnnHere(["train", ...all, "--set", "maxEpochs=2"])).lines.join("")).not.toContain("left out");
    expect((await rgnnJson<{ numNodes: number }>("data", "info", dataset, "--all-components")).numNodes).toBe(
      NUM_NODES,
    );
  });

  test("--split takes a file of ids, and reports say which split was used", async () => {
    const dataset = writeOwnGraph();
    const file = join(temporaryFolder(), "split.json");
    writeFileSync(file, '{"train":[7,8,9,10,3],"val":[11,12],"test":[126,125,13]}');
    const args = ["train", "--dataset", dataset, "--set", "maxEpochs=2"];
    const { split } = await rgnnJson<TrainReport>(...args, "--split", file);
    expect(split).toMatchObject({ name: file, train: 4, val: 2, test: 3 });
    expect((await rgnnHere([...args, "--split", file])).lines).toContain(
      `${file}: 1 of 5 train nodes are outside the largest component`,
    );
    const shares = await rgnnJson<TrainReport>(...args, "--split", "shares:50,25,25");
    expect(shares.split).toMatchObject({ name: "shares:50,25,25", train: 60, val: 30, test: 30 });
    const small = await rgnnHere([...args, "--split", "per-class:50"]);
    expect(small.lines).toContain("own: fewer than 50 training nodes of class 0 (20 of 60), 1 (20 of 60)");
    const none = await rgnnHere([...args, "--split", "public"]);
    expect([none.status, none.lines.at(-1)]).toEqual([
      2,
      "rgnn: own: has no split of its own; --split can be per-class:20, shares:10,10,80, public, or a .json or .npz file",
    ]);
  });

  test("--adjacency takes the edges of a perturbed graph, and everything else from --dataset", async () => {
    const dataset = writeOwnGraph();
    const out = join(temporaryFolder(), "perturbed.npz");
    await rgnnJson<AttackReport>("attack", "--dataset", dataset, ...quick, "--out", out);
    const { status, lines } = await rgnnHere([
      "train",
      "--dataset",
      dataset,
      "--adjacency",
      out,
      "--set",
      "maxEpochs=2",
    ]);
    expect([status, lines[0]]).toEqual([0, `own: edges are those of ${out}, matched by the ids of 120 nodes`]);
  });

  test("a perturbed graph comes back with its nodes, ids and split", async () => {
    const dataset = writeOwnGraph();
    const out = join(temporaryFolder(), "perturbed.npz");
    const args = ["--dataset", dataset, ...quick, "--split", "per-class:10", "--seed", "3"];
    const report = await rgnnJson<AttackReport>("attack", ...args, "--out", out);
    const { graph, ids, splits } = await loadGraph(out);
    expect([graph.numNodes, ids.idOf(0), ids.idOf(119)]).toEqual([120, 7, 126]);
    expect(splits!["public"].test.length).toBe(report.numTargets);
    const again = await rgnnJson<AttackReport>("attack", "--dataset", out, ...quick, "--nodes", "126,7");
    expect([again.numTargets, again.split]).toEqual([2, { ...report.split, name: "public" }]);
  });
});
