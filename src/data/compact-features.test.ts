import { describe, expect, test } from "vitest";
import { isSparse } from "../graph/graph.ts";
import { compactFeatures } from "./compact-features.ts";

/** Rows of `numCols` features of which every `step`-th is not zero. */
function dense(numCols: number, step: number) {
  const data = Float32Array.from({ length: 4 * numCols }, (_, at) => (at % step === 0 ? at + 1 : 0));
  return { numRows: 4, numCols, data };
}

describe("compactFeatures", () => {
  test("stores features that are mostly zero as compressed rows", () => {
    const features = compactFeatures(dense(100, 50));
    if (!isSparse(features)) throw new Error("must be sparse");
    expect([...features.rowPtr]).toEqual([0, 2, 4, 6, 8]);
    expect([...features.colIdx.subarray(0, 3)]).toEqual([0, 50, 0]);
    expect([...features.values!.subarray(0, 3)]).toEqual([1, 51, 101]);
  });
  test("keeps features with many values, and short rows", () => {
    for (const features of [dense(100, 5), dense(20, 50)]) expect(compactFeatures(features)).toBe(features);
  });
});
