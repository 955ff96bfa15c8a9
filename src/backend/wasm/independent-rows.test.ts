import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { addSelfLoops } from "../../graph/self-loops.ts";
import { planRows } from "./independent-rows.ts";

const hostOf = (n: number, share: number, seed: number) => {
  const { rowPtr, colIdx } = addSelfLoops(randomGraph(n, share, seed).adjacency);
  return { rowPtr: Int32Array.from(rowPtr), colIdx, values: new Float64Array(colIdx.length).fill(1) };
};

describe("planRows", () => {
  test("lets the ends of a path follow from its middle, as worked by hand", () => {
    const rowPtr = Int32Array.of(0, 2, 5, 7);
    const S = { rowPtr, colIdx: Int32Array.of(0, 1, 0, 1, 2, 1, 2), values: new Float64Array(7).fill(1) };
    const { solved, combined, own } = planRows(S, [2, 3, 2], 0.5);
    expect([...solved]).toEqual([1]);
    expect([...combined.colIdx]).toEqual([1, 1]);
    expect([...combined.rowPtr]).toEqual([0, 1, 1, 2]);
    expect(own[0]).toBeCloseTo(0.5 / (1 - 0.25)); // α / (1 − ρÂ_00)
    expect(combined.values[0]).toBeCloseTo(0.5 / Math.sqrt(6) / (1 - 0.25));
  });

  test("combines rows from solved ones alone, and leaves no row out", () => {
    const S = hostOf(90, 0.05, 1);
    const degrees = Float64Array.from({ length: 90 }, (_, i) => S.rowPtr[i + 1]! - S.rowPtr[i]!);
    const { solved, combined, own } = planRows(S, degrees, 0.15);
    const isSolved = new Set(solved);
    expect(solved.length).toBeLessThan(75);
    for (const c of combined.colIdx) expect(isSolved.has(c)).toBe(true);
    for (let i = 0; i < 90; i++) expect(own[i]! > 0).toBe(!isSolved.has(i));
  });
});
