import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { chooseSplit } from "./choose-split.ts";

const graph = randomGraph(400, 0.02, 1, { numClasses: 2 });
const nodeIds = Int32Array.from({ length: graph.numNodes }, (_, i) => i);
const split = (first: number) => ({
  train: Int32Array.of(first),
  val: Int32Array.of(first + 1),
  test: Int32Array.of(first + 2),
});

describe("chooseSplit", () => {
  test("takes the split that comes with a dataset", () => {
    expect(chooseSplit("mine", { graph, nodeIds, splits: { public: split(7) } }, 3)).toEqual(split(7));
  });
  test("takes the mask with the number of the seed, from the first again after the last", () => {
    const splits = { "mask-0": split(0), "mask-1": split(10), "mask-2": split(20) };
    expect(chooseSplit("actor", { graph, nodeIds, splits }, 1)).toEqual(split(10));
    expect(chooseSplit("actor", { graph, nodeIds, splits }, 5)).toEqual(split(20));
  });
  test("draws its own where the published experiments did, though the data come with one", () => {
    const drawn = chooseSplit("pubmed", { graph, nodeIds, splits: { public: split(7) } }, 0);
    expect([drawn.train.length, drawn.val.length, drawn.test.length]).toEqual([40, 40, 320]);
  });
});
