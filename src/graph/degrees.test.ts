import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph } from "../../test/support/any-graph.ts";
import { csrFromEntries, transpose } from "./csr.ts";
import { columnDegrees, rowDegrees } from "./degrees.ts";

describe("degrees", () => {
  test("count the entries of each row and of each column", () => {
    const A = csrFromEntries(2, 3, [0, 0, 1], [0, 2, 2]);
    expect([...rowDegrees(A)]).toEqual([2, 1]);
    expect([...columnDegrees(A)]).toEqual([1, 0, 2]);
  });
  test("of the columns are those of the transpose's rows, on any graph", () => {
    fc.assert(
      fc.property(anyGraph, ({ adjacency: A }) => {
        expect(columnDegrees(A)).toEqual(rowDegrees(transpose(A)));
      }),
    );
  });
});
