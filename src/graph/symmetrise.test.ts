import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph, randomGraph } from "../../test/support/any-graph.ts";
import { checkCsr, csrFromEntries, hasEntry, isSymmetric } from "./csr.ts";
import { checkGraph } from "./graph.ts";
import { symmetrise, toUndirected } from "./symmetrise.ts";

describe("symmetrise", () => {
  test("stores both directions of each entry, once", () => {
    const A = csrFromEntries(3, 3, [0, 1, 2], [1, 0, 0], [3, 4, 5]);
    expect(symmetrise(A)).toEqual(csrFromEntries(3, 3, [0, 0, 1, 2], [1, 2, 0, 0]));
  });
  test("holds (i, j) exactly where A or its transpose does, on any graph", () => {
    fc.assert(
      fc.property(anyGraph, ({ adjacency: A }) => {
        const S = symmetrise(A);
        checkCsr(S, "S");
        expect(isSymmetric(S)).toBe(true);
        for (let i = 0; i < A.numRows; i++) {
          for (let j = 0; j < A.numCols; j++) expect(hasEntry(S, i, j)).toBe(hasEntry(A, i, j) || hasEntry(A, j, i));
        }
      }),
    );
  });
});

describe("toUndirected", () => {
  test("makes a valid undirected graph of a directed one and returns an undirected one as it is", () => {
    const graph = randomGraph(8, 0.3, 2, { directed: true });
    const undirected = checkGraph(toUndirected(graph));
    expect(undirected.directed).toBe(false);
    expect(toUndirected(undirected)).toBe(undirected);
  });
});
