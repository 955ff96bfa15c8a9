import { describe, expect, test } from "vitest";
import { sumRows } from "./sum-rows.ts";

describe("sumRows", () => {
  test("adds entries in the same place, keeps columns sorted and leaves out what cancels", () => {
    const a = { rowPtr: [0, 2, 3, 3], colIdx: [0, 2, 1], values: null };
    const b = { rowPtr: [0, 2, 3, 4], colIdx: [1, 2, 1, 0], values: [0.5, -0.25, -1, 3] };
    const { rowPtr, colIdx, values } = sumRows(3, [a, b]);
    expect([...rowPtr]).toEqual([0, 3, 3, 4]);
    expect([...colIdx]).toEqual([0, 1, 2, 0]);
    expect([...values]).toEqual([1, 0.5, 0.75, 3]);
  });

  test("of no matrices has empty rows", () => {
    expect([...sumRows(2, []).rowPtr]).toEqual([0, 0, 0]);
  });
});
