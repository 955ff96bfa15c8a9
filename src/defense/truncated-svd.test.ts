import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph } from "../../test/support/any-graph.ts";
import { denseOf, product } from "../../test/support/dense.ts";
import { realData } from "../../test/support/real-data.ts";
import { loadGraph } from "../files/load.ts";
import { csrFromEntries } from "../graph/csr.ts";
import { type TruncatedSvd, truncatedSvd } from "./truncated-svd.ts";

interface Golden {
  readonly singularValues: number[];
  readonly rowSums: number[];
  readonly entries: [i: number, j: number, value: number][];
}

function entry({ singularValues, left, right }: TruncatedSvd, i: number, j: number): number {
  return singularValues.reduce((sum, s, k) => sum + left[k][i] * s * right[k][j], 0);
}

describe("truncatedSvd", () => {
  test("of a diagonal matrix keeps its largest entries", () => {
    const { singularValues, left, right } = truncatedSvd(
      csrFromEntries(4, 4, [0, 1, 2, 3], [0, 1, 2, 3], [2, -5, 1, 3]),
      2,
    );
    expect([...singularValues].map((s) => s.toFixed(9))).toEqual(["5.000000000", "3.000000000"]);
    expect(Math.abs(left[0][1])).toBeCloseTo(1, 9);
    expect(left[0][1] * right[0][1]).toBeCloseTo(-1, 9);
  });

  test("of full rank gives back any matrix, directed graphs and graphs without edges too", () => {
    fc.assert(
      fc.property(anyGraph, ({ adjacency }) => {
        const svd = truncatedSvd(adjacency, adjacency.numRows);
        for (const [i, row] of denseOf(adjacency).entries()) {
          for (const [j, value] of row.entries()) expect(entry(svd, i, j)).toBeCloseTo(value, 8);
        }
      }),
    );
  });

  test("has orthonormal vectors", () => {
    const A = csrFromEntries(3, 5, [0, 0, 1, 2, 2], [0, 4, 2, 1, 4], [1, 2, 3, 4, 5]);
    const { left, right } = truncatedSvd(A, 2);
    for (const vectors of [left, right]) {
      const rows = vectors.map((vector) => [...vector]);
      const gram = product(
        rows,
        rows[0].map((_, c) => rows.map((row) => row[c])),
      );
      for (const [i, row] of gram.entries()) for (const [j, x] of row.entries()) expect(x).toBeCloseTo(+(i === j), 9);
    }
  });

  realData("cora_ml")("has the singular values and the low-rank matrix of LAPACK on Cora ML", async () => {
    const golden: Golden = JSON.parse(
      readFileSync(new URL("../../test/golden/svd/cora_ml.json", import.meta.url), "utf8"),
    );
    const { graph } = await loadGraph("cora_ml", {});
    const svd = truncatedSvd(graph.adjacency, 50);
    for (const [k, s] of golden.singularValues.entries()) expect(svd.singularValues[k]).toBeCloseTo(s, 8);
    for (const [i, j, value] of golden.entries) expect(entry(svd, i, j)).toBeCloseTo(value, 8);
    const totals = svd.right.map((v) => v.reduce((sum, x) => sum + x, 0));
    for (const [i, sum] of golden.rowSums.entries()) {
      expect(totals.reduce((all, t, k) => all + svd.left[k][i] * svd.singularValues[k] * t, 0)).toBeCloseTo(sum, 8);
    }
  });

  test("refuses a rank that is not a whole number above 0", () => {
    expect(() => truncatedSvd(csrFromEntries(1, 1, [], []), 0)).toThrow("the rank must be a whole number");
  });
});
