import { describe, expect, test } from "vitest";
import { chosenCols, chosenRows, differs, onReference, spread } from "./sample.ts";

describe("sampled checks", () => {
  const X = Float32Array.of(1, 2, 3, 4, 5, 6); // [2, 3]
  test("name the first sample that is off, and only then", () => {
    expect(differs([1, 2], [1, 2.00001])).toBeNull();
    expect(differs([1, 2], [1, 2.1])).toBe("sample 1 is 2 instead of 2.1");
    expect(differs([Number.NaN], [0])).toBe("sample 0 is NaN instead of 0");
  });
  test("spread over the whole range, both ends included", () => {
    expect(spread(3, 101)).toEqual([0, 50, 100]);
    expect(spread(5, 2)).toEqual([0, 1]);
    expect(spread(1, 9)).toEqual([0]);
  });
  test("cut rows and columns out of a matrix", () => {
    expect([...chosenRows(X, [1, 0], 3)]).toEqual([4, 5, 6, 1, 2, 3]);
    expect([...chosenCols(X, 2, 3, [2, 0])]).toEqual([3, 1, 6, 4]);
  });
  test("run small problems on the reference", async () => {
    const squares = await onReference(6, (reference, out) => reference.unary("square", out, reference.upload(X)));
    expect([...(squares as Float64Array)]).toEqual([1, 4, 9, 16, 25, 36]);
  });
});
