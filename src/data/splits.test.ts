import { describe, expect, test } from "vitest";
import { realData } from "../../test/support/real-data.ts";
import { loadGraph } from "../files/load.ts";
import { randomSplit, renumberSplit } from "./splits.ts";

const sum = (nodes: Int32Array) => nodes.reduce((total, node) => total + node, 0);

describe("randomSplit", () => {
  const labels = Int32Array.from({ length: 60 }, (_, node) => (node === 7 ? -1 : node % 2));
  test("takes as many nodes per class as asked and leaves the rest for the test", () => {
    const { train, val, test } = randomSplit(labels, 2, 3, { perClass: 5 });
    for (const set of [train, val])
      expect([0, 1].map((c) => set.filter((node) => labels[node] === c).length)).toEqual([5, 5]);
    expect(new Set([...train, ...val, ...test, 7]).size).toBe(60);
    expect([...test]).toEqual([...test].sort((a, b) => a - b));
  });
  test("leaves nodes without a label out", () => {
    const { train, val, test } = randomSplit(labels, 2, 0, { perClass: 5 });
    expect([...train, ...val, ...test]).not.toContain(7);
  });
  test("says which class is too small", () => {
    expect(() => randomSplit(labels, 2, 0)).toThrow("randomSplit: class 0 has 30 nodes, must have 40; lower perClass");
  });
  test("hands over the generator where the split left it", () => {
    const draws = [0, 0].map(() => randomSplit(labels, 2, 4, { perClass: 5 }).random.next32());
    expect(draws[0]).toBe(draws[1]);
    expect(draws[0]).not.toBe(randomSplit(labels, 2, 5, { perClass: 5 }).random.next32());
  });
});

/** Published check values: first five training and validation nodes, sums of the training and the test nodes. */
const CHECKS = [
  ["cora_ml", 0, "330 1321 1587 2760 1541", "2041 2140 48 1329 2697", 194172, 3568519],
  ["cora_ml", 1, "1569 17 603 2683 184", "508 1200 1040 1230 1349", 193530, 3557971],
  ["cora_ml", 5, "2470 2678 398 2546 2072", "1231 2049 1712 1590 1819", 196763, 3550775],
  ["citeseer", 0, "872 1962 42 1829 416", "1915 1593 208 1347 825", 140743, 1952907],
  ["citeseer", 1, "1938 966 467 1462 1808", "923 1550 1597 998 1484", 126537, 1977609],
  ["citeseer", 5, "1133 199 1745 1638 637", "846 1354 1869 822 1586", 118749, 1983173],
] as const;

describe("the published splits", () => {
  for (const [name, seed, firstTrain, firstVal, sumTrain, sumTest] of CHECKS) {
    realData(name)(`are reproduced on ${name} with seed ${seed}`, async () => {
      const { graph } = await loadGraph(name);
      const { train, val, test } = randomSplit(graph.labels, graph.numClasses, seed);
      expect([train.length, val.length, test.length]).toEqual(name === "cora_ml" ? [140, 140, 2530] : [120, 120, 1870]);
      expect([train.slice(0, 5).join(" "), val.slice(0, 5).join(" ")]).toEqual([firstTrain, firstVal]);
      expect([sum(train), sum(test)]).toEqual([sumTrain, sumTest]);
    });
  }
});

test("renumberSplit drops the nodes that were not kept", () => {
  const split = { train: Int32Array.of(4, 0), val: Int32Array.of(1), test: Int32Array.of(2, 3) };
  const { train, val, test } = renumberSplit(split, Int32Array.of(1, 3, 4), 5);
  expect([train, val, test].map((set) => [...set])).toEqual([[2], [0], [1]]);
});
