import { describe, expect, test } from "vitest";
import { pointersAfter } from "./row-pointers.ts";

describe("pointersAfter", () => {
  test("adds what was before, also beyond 32 bits", () => {
    const words = pointersAfter(Int32Array.of(0, 5, 7), 2 ** 33 + 2 ** 32 - 6);
    expect(Array.from(new BigUint64Array(words.buffer), Number)).toEqual([12884901882, 12884901887, 12884901889]);
  });
});
