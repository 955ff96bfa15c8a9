import { afterAll, describe, expect, test } from "vitest";
import { randomGraph } from "../../../../test/support/any-graph.ts";
import { type Csr, csrFromEntries } from "../../../graph/csr.ts";
import { addSelfLoops } from "../../../graph/self-loops.ts";
import { symmetrise } from "../../../graph/symmetrise.ts";
import { sumRows } from "../../sum-rows.ts";
import { PANEL } from "../sparse/panel-entries.ts";
import { startEngine } from "../wasm.ts";
import { type OrderedSystem, orderedSystem } from "./ordered-system.ts";
import { TrailingPart } from "./trailing-part.ts";

const engine = await startEngine({ threads: 2 });
afterAll(() => engine.pool.close());

function systemOf(adjacency: Csr): OrderedSystem {
  const { numRows: n, rowPtr, colIdx } = addSelfLoops(adjacency);
  const S = sumRows(n, [{ rowPtr: Int32Array.from(rowPtr), colIdx, values: null }]);
  return orderedSystem(
    S,
    Array.from({ length: n }, (_, i) => rowPtr[i + 1] - rowPtr[i]),
    0.15,
  );
}

function withPart(system: OrderedSystem, use: (part: TrailingPart) => void): void {
  const rowPtr = engine.heap.upload(system.rowPtr);
  const entries = engine.heap.upload(system.entries);
  const part = new TrailingPart(engine, system, { rowPtr: rowPtr.address, entries: entries.address });
  use(part);
  part.free();
  for (const buffer of [rowPtr, entries]) engine.heap.free(buffer);
}

/** The spectral radius of the part from `first` on, by many steps of (G + I)x. */
function radiusOf({ rowPtr, entries }: OrderedSystem, first: number): number {
  const values = new Float32Array(entries.buffer);
  let x = new Float64Array(rowPtr.length - 1).fill(1, first);
  let growth = 0;
  for (let step = 0; step < 500; step++) {
    const y = x.slice();
    for (let i = first; i < x.length; i++) {
      for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) y[i] += values[2 * e + 1] * x[entries[2 * e] / (4 * PANEL)];
    }
    growth = Math.hypot(...y.subarray(first)) / Math.hypot(...x.subarray(first));
    x = y.map((value) => value / growth);
  }
  return growth - 1;
}

describe("TrailingPart", () => {
  test("bounds the spectral radius of ever smaller parts from above, and not by much", () => {
    const system = systemOf(randomGraph(200, 0.04, 1).adjacency);
    withPart(system, (part) => {
      for (const first of [0, 20, 40, 60, 90, 120]) {
        part.beginAt(first);
        const radius = radiusOf(system, first);
        expect(part.radius).toBeGreaterThan(radius - 1e-5);
        expect(part.radius).toBeLessThan(radius + 0.15);
      }
    });
  });

  test("has radius 0 where no entries are left, as in a star without its centre", () => {
    const star = symmetrise(csrFromEntries(9, 9, new Array(8).fill(4), [0, 1, 2, 3, 5, 6, 7, 8]));
    withPart(systemOf(star), (part) => {
      part.beginAt(0);
      expect(part.radius).toBeGreaterThan(0.1);
      part.beginAt(1);
      expect(part.radius).toBe(0);
    });
  });

  test("begins in each row behind the entries that lie before it", () => {
    const path = symmetrise(csrFromEntries(3, 3, [0, 1], [1, 2])); // places 1, 0, 2
    withPart(systemOf(path), (part) => {
      part.beginAt(1);
      expect([...engine.heap.values(part.split)]).toEqual([0, 3, 4]);
    });
  });
});
