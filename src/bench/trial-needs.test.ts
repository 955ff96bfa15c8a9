import { describe, expect, test } from "vitest";
import { trialNeeds } from "./trial-needs.ts";

/** 0 – 1 – 2 – 3 – 4 */
const path = {
  numRows: 5,
  numCols: 5,
  rowPtr: Int32Array.of(0, 1, 3, 5, 7, 8),
  colIdx: Int32Array.of(1, 0, 2, 1, 3, 2, 4, 3),
  values: null,
};
const plain = { scale: null, shift: null, relu: false, weight: null };

describe("trialNeeds", () => {
  test("counts the rows that read an end of the pair, and in the next layer those that read them", () => {
    const insertion = { offsets: Int32Array.of(0, 1), sources: Int32Array.of(0), targets: Int32Array.of(2) };
    const layers = [
      { ...plain, width: 8, weight: new Float32Array(16) },
      { ...plain, width: 2 },
    ];
    const { rows, flops, bytes, needs } = trialNeeds({ adjacency: path, layers }, insertion);
    expect(rows).toBe(4 + 5); // 0, 1, 2, 3, then all
    const first = 2 * 8 * (3 + 3 * 2 + 2) + 2 * 4 * 8 * 2; // three neighbours; four rows through the weights
    const second = 2 * 2 * (7 + 3 * 4 + 2);
    expect(flops).toBe(first + second);
    // read: inputs of 2 and sums of 4 rows of 8 floats, then of 4 and 5 rows of 2; written: 4 rows of 8, 5 of 2
    expect(needs.cached).toBe(4 * (8 * (2 + 4) + 2 * (4 + 5)) + 4 * (8 * 4 + 2 * 5));
    expect(needs.stream).toBe(4 * (3 + 7));
    expect(bytes).toBe(needs.cached + needs.stream);
  });
  test("is a mean over the changes, each counted on its own", () => {
    const layers = [{ ...plain, width: 1 }];
    const two = { offsets: Int32Array.of(0, 1, 2), sources: Int32Array.of(0, 1), targets: Int32Array.of(1, 3) };
    expect(trialNeeds({ adjacency: path, layers }, two).rows).toBe((3 + 5) / 2);
  });
});
