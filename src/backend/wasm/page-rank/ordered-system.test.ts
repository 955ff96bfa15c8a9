import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../../test/support/any-graph.ts";
import { addSelfLoops } from "../../../graph/self-loops.ts";
import { sumRows } from "../../sum-rows.ts";
import { PANEL } from "../sparse/panel-entries.ts";
import { type OrderedSystem, orderedSystem } from "./ordered-system.ts";

/** Rows of G as pairs of a place and a value. */
function rowsOf({ rowPtr, entries }: OrderedSystem): [place: number, value: number][][] {
  const values = new Float32Array(entries.buffer);
  return Array.from({ length: rowPtr.length - 1 }, (_, i) =>
    Array.from({ length: rowPtr[i + 1] - rowPtr[i] }, (_, t) => {
      const at = 2 * (rowPtr[i] + t);
      return [entries[at] / (4 * PANEL), values[at + 1]];
    }),
  );
}

describe("orderedSystem", () => {
  test("of a path of three nodes is as worked by hand, its middle first", () => {
    const path = { rowPtr: [0, 2, 5, 7], colIdx: [0, 1, 0, 1, 2, 1, 2], values: null };
    const system = orderedSystem(sumRows(3, [path]), [2, 3, 2], 0.5);
    expect([...system.places]).toEqual([1, 0, 2]);
    for (const [i, loop] of [1 / 2, 1 / 3, 1 / 2].entries()) {
      expect(system.scale[i]).toBeCloseTo((1 - 0.5 * loop) ** -0.5); // Q_i = (1 − ρÂ_ii)^(−1/2)
    }
    const value = expect.closeTo(0.5 / Math.sqrt(6) / Math.sqrt((1 - 1 / 4) * (1 - 1 / 6)), 6); // ρÂ_01·Q_0·Q_1
    expect(rowsOf(system)).toEqual([[[1, value], [2, value]], [[0, value]], [[0, value]]]); // biome-ignore format: by row
  });

  test("is symmetric, with rows that ascend and nodes that do not grow", () => {
    const { rowPtr, colIdx } = addSelfLoops(randomGraph(60, 0.1, 1).adjacency);
    const S = sumRows(60, [{ rowPtr: Int32Array.from(rowPtr), colIdx, values: null }]);
    const degrees = Array.from({ length: 60 }, (_, i) => rowPtr[i + 1] - rowPtr[i]);
    const rows = rowsOf(orderedSystem(S, degrees, 0.15));
    for (const [i, row] of rows.entries()) {
      if (i > 0) expect(row.length).toBeLessThanOrEqual(rows[i - 1].length);
      expect(row.map(([j]) => j)).toEqual(row.map(([j]) => j).sort((a, b) => a - b));
      for (const [j, value] of row) expect(rows[j].find(([k]) => k === i)![1]).toBeCloseTo(value, 6);
    }
  });

  test("comes with a vector that keeps the spectral radius at 1 − α or below", () => {
    const { rowPtr, colIdx } = addSelfLoops(randomGraph(60, 0.1, 2).adjacency);
    const S = sumRows(60, [{ rowPtr: Int32Array.from(rowPtr), colIdx, values: null }]);
    const degrees = Array.from({ length: 60 }, (_, i) => rowPtr[i + 1] - rowPtr[i]);
    const system = orderedSystem(S, degrees, 0.15);
    const x = system.positive;
    const ratios = rowsOf(system).map((row, i) => row.reduce((sum, [j, value]) => sum + value * x[j], 0) / x[i]);
    expect(Math.max(...ratios)).toBeLessThanOrEqual(0.85);
    expect(Math.min(...x)).toBeGreaterThan(0);
  });
});
