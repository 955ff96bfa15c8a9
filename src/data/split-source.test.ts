import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { Graph } from "../graph/graph.ts";
import { NodeIds } from "./node-ids.ts";
import { NumpyRandom } from "./numpy-random.ts";
import type { LoadedGraph } from "./preprocess.ts";
import { parseSplitChoice } from "./split-choice.ts";
import { splitSource } from "./split-source.ts";
import type { Split } from "./splits.ts";

const split = (first: number) => ({
  train: Int32Array.of(first),
  val: Int32Array.of(first + 1),
  test: Int32Array.of(first + 2),
});

function loaded(name: string, splits?: Record<string, Split>, more: Partial<LoadedGraph> = {}): LoadedGraph {
  const graph = new Graph({ ...randomGraph(400, 0.02, 1, { numClasses: 2 }), name });
  const ids = NodeIds.numbered(graph.numNodes, name);
  const dropped = { nodes: 0, edges: 0, selfLoops: 0, zeros: 0, weights: 0 };
  return { graph, ids, classes: ["a", "b"], dropped, notes: [], ...(splits && { splits }), ...more };
}

const sizes = ({ train, val, test }: Split) => [train.length, val.length, test.length];

describe("splitSource, where nothing was asked for", () => {
  test("takes the split that comes with a dataset", () => {
    expect(splitSource(loaded("mine", { public: split(7) })).split(3)).toEqual(split(7));
  });
  test("takes the mask with the number of the seed, from the first again after the last", () => {
    const source = splitSource(loaded("actor", { "mask-0": split(0), "mask-1": split(10), "mask-2": split(20) }));
    expect(source.split(1)).toEqual(split(10));
    expect(source.split(5)).toEqual(split(20));
  });
  test("draws its own where the published experiments did, though the data come with one", () => {
    expect(sizes(splitSource(loaded("pubmed", { public: split(7) })).split(0))).toEqual([40, 40, 320]);
  });
  test("refuses a dataset that should come with a split and does not", () => {
    expect(() => splitSource(loaded("cora"))).toThrow("cora: is published with a split, but these files have none");
    const folder = loaded("mine", undefined, { missingSplit: "mine/split" });
    expect(() => splitSource(folder)).toThrow("mine/split: is not there; --split can be per-class:20, shares:10,10,80");
  });
});

describe("splitSource, by choice", () => {
  const choose = (text: string, of = loaded("mine")) => splitSource(of, parseSplitChoice(text));
  test("draws as many of each class as were asked for", () => {
    expect(sizes(choose("per-class:5").split(0))).toEqual([10, 10, 380]);
  });
  test("takes fewer of a class that is small, and says so", () => {
    const { graph } = loaded("mine");
    const labels = graph.labels.map((_, node) => (node < 9 ? 1 : 0)); // class b has 9 nodes
    const source = choose("per-class:20", loaded("mine", undefined, { graph: new Graph({ ...graph, labels }) }));
    expect(source.notes).toEqual(["mine: fewer than 20 training nodes of class b (3 of 9)"]);
    expect(sizes(source.split(0))).toEqual([23, 23, 354]);
  });
  test("divides by shares, another way with every seed", () => {
    const source = choose("shares:10,20,70");
    expect(sizes(source.split(0))).toEqual([40, 80, 280]);
    expect(source.split(0)).toEqual(source.split(0));
    expect(source.split(0)).not.toEqual(source.split(1));
    expect(source.randomAfter(0).permute([1, 2, 3, 4, 5])).not.toEqual(new NumpyRandom(0).permute([1, 2, 3, 4, 5]));
  });
  test("takes the split of the files even where published results draw another", () => {
    expect(choose("public", loaded("pubmed", { public: split(7) })).split(0)).toEqual(split(7));
    expect(() => choose("public")).toThrow("mine: has no split of its own; --split can be");
  });
  test("refuses a set without nodes and nodes without labels", () => {
    expect(() => choose("shares:50,50,0").split(0)).toThrow("shares:50,50,0: has no test nodes");
    const { graph } = loaded("mine");
    const unlabelled = new Graph({ ...graph, labels: graph.labels.map(() => -1), numClasses: 2 });
    const of = loaded("mine", { public: split(7) }, { graph: unlabelled });
    expect(() => choose("public", of).split(0)).toThrow("node 7 is a train node but has no label");
  });
  test("says that a graph without labels has none", () => {
    const { graph } = loaded("mine");
    const unlabelled = new Graph({ ...graph, labels: graph.labels.map(() => -1), numClasses: 0 });
    const of = loaded("mine", undefined, { graph: unlabelled, classes: [] });
    expect(() => splitSource(of).split(0)).toThrow("mine: no node has a label; put labels into it, or beside it");
  });
  test.each([
    ["per-class:0", "per-class:20"],
    ["per-class:many", "per-class:20"],
    ["shares:10,20,80", "add up to 100"],
    ["shares:a,b,c", "add up to 100"],
    ["random", 'unknown split "random"; it can be per-class:20'],
  ])("refuses %s", (text, message) => {
    expect(() => parseSplitChoice(text)).toThrow(message);
  });
});
