import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { denseOf } from "../../test/support/dense.ts";
import { csrFromEntries } from "../graph/csr.ts";
import { rowDegrees } from "../graph/degrees.ts";
import { divideByRowSums, normaliseByColumnSums, normaliseRows } from "./normalise.ts";
import { pushRows } from "./push-rows.ts";

const rows = csrFromEntries(2, 3, [0, 0, 1], [0, 2, 1], [0.5, 0.25, 1]);

describe("normaliseRows", () => {
  test("leaves, scales by square roots or scales by degrees", () => {
    const degrees = [4, 1, 16];
    expect(normaliseRows(rows, [2, 0], degrees, "row")).toBe(rows);
    expect([...normaliseRows(rows, [2, 0], degrees, "sym").values!]).toEqual([1, 0.25, 2]);
    expect([...normaliseRows(rows, [2, 0], degrees, "col").values!]).toEqual([2, 0.25, 4]);
  });
  test("turns walks into a symmetric matrix, up to the tolerance of the push", () => {
    const { adjacency, numNodes } = randomGraph(20, 0.2, 5);
    const nodes = Array.from({ length: numNodes }, (_, v) => v);
    const walks = pushRows(adjacency, nodes, { alpha: 0.2, epsilon: 1e-6, k: numNodes });
    const P = denseOf(normaliseRows(walks, nodes, rowDegrees(adjacency), "sym"));
    for (const i of nodes) for (const j of nodes) expect(P[i][j]).toBeCloseTo(P[j][i], 4);
  });
  test("says when rows and nodes do not agree", () => {
    expect(() => normaliseRows(rows, [0], [1, 1, 1], "sym")).toThrow("normaliseRows: 2 rows of 1 nodes");
  });
});

describe("divideByRowSums", () => {
  test("makes rows sum to one and leaves empty ones", () => {
    const T = divideByRowSums(csrFromEntries(2, 2, [0, 0], [0, 1], [1, 3]));
    expect(denseOf(T)).toEqual([
      [0.25, 0.75],
      [0, 0],
    ]);
  });
});

describe("normaliseByColumnSums", () => {
  test("divides by the roots of both column sums", () => {
    const T = csrFromEntries(2, 2, [0, 0, 1], [0, 1, 1], [4, 7, 9]); // column sums 4 and 16
    expect(denseOf(normaliseByColumnSums(T))).toEqual([
      [1, 0.875],
      [0, 0.5625],
    ]);
  });
});
