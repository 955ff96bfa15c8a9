import { describe, expect, test } from "vitest";
import { csrFromEntries } from "../graph/csr.ts";
import { edgesOf } from "./edges-of.ts";
import { NodeIds } from "./node-ids.ts";

const ids = NodeIds.of(["a", "b", "c"], "mine");
const stored = (values: number[]) => csrFromEntries(3, 3, [0, 1, 2], [1, 2, 0], values);

describe("edgesOf", () => {
  test("takes entries of value 1 as they are", () => {
    const { edges, zeros, weights } = edgesOf(stored([1, 1, 1]), ids, "mine", false);
    expect([[...edges.rowPtr], [...edges.colIdx], edges.values, zeros, weights]).toEqual([
      ...[[0, 1, 2, 3], [1, 2, 0], null, 0, 0],
    ]);
  });
  test("knows that a stored zero is no edge", () => {
    const { edges, zeros } = edgesOf(stored([1, 0, 1]), ids, "mine", false);
    expect([[...edges.rowPtr], [...edges.colIdx], zeros]).toEqual([[0, 1, 1, 2], [1, 0], 1]);
  });
  test("refuses weights, unless they may be ignored", () => {
    expect(() => edgesOf(stored([1, 0.5, 1]), ids, "mine", false)).toThrow(
      "mine: the edge from b to c has weight 0.5, but edges are used without weights; --ignore-weights makes every weight 1",
    );
    const { edges, weights } = edgesOf(stored([1, 0.5, -2]), ids, "mine", true);
    expect([edges.colIdx.length, edges.values, weights]).toEqual([3, null, 2]);
  });
  test("refuses a weight that is no number, whatever is asked for", () => {
    expect(() => edgesOf(stored([1, Number.NaN, 1]), ids, "mine", true)).toThrow("weights must be finite");
  });
});
