import { describe, expect, test } from "vitest";
import { csrFromEntries } from "./csr.ts";
import { countSelfLoops, dropSelfLoops } from "./self-loops.ts";

describe("dropSelfLoops", () => {
  test("removes the entries of the diagonal and keeps the values of the others", () => {
    const A = csrFromEntries(3, 3, [0, 0, 1, 2, 2], [0, 2, 1, 0, 2], [1, 2, 3, 4, 5]);
    expect(countSelfLoops(A)).toBe(3);
    expect(dropSelfLoops(A)).toEqual(csrFromEntries(3, 3, [0, 2], [2, 0], [2, 4]));
  });
  test("returns the matrix itself where there is nothing to drop", () => {
    const A = csrFromEntries(2, 2, [0], [1]);
    expect(dropSelfLoops(A)).toBe(A);
  });
});
