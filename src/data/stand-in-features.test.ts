import { expect, test } from "vitest";
import { csrFromEntries } from "../graph/csr.ts";
import { isSparse } from "../graph/graph.ts";
import { standInFeatures } from "./stand-in-features.ts";

test("a small graph without features gets one for each node", () => {
  const { features, note } = standInFeatures("mine", csrFromEntries(3, 3, [0, 1], [1, 0]));
  if (!isSparse(features)) throw new Error("must be sparse");
  expect([features.numCols, [...features.colIdx], [...features.values!]]).toEqual([3, [0, 1, 2], [1, 1, 1]]);
  expect(note).toBe("mine: has no features; each node gets one of its own (identity)");
});

test("a large graph without features gets the logarithm of the degree", () => {
  const size = 20_001;
  const { features, note } = standInFeatures("mine", csrFromEntries(size, size, [0, 0], [1, 2]));
  if (isSparse(features)) throw new Error("must be dense");
  expect([features.numCols, features.data[0], features.data[1]]).toEqual([1, Math.fround(Math.log(3)), 0]);
  expect(note).toContain("log(1 + degree)");
});
