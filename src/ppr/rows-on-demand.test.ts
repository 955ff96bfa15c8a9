import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { Rng } from "../core/rng.ts";
import type { Csr } from "../graph/csr.ts";
import { stackRows } from "../graph/push/top-k-rows.ts";
import { expectedColumns } from "./expected-columns.ts";
import { pushRows } from "./push-rows.ts";
import { RowsOnDemand } from "./rows-on-demand.ts";

const options = { alpha: 0.2, epsilon: 1e-4, k: 8 };

/** Rows of a random graph, and which were pushed, in order. */
function watched(mostEntries?: number) {
  const { adjacency } = randomGraph(40, 0.1, 1);
  const pushed: number[] = [];
  const push = (nodes: Int32Array) => {
    pushed.push(...nodes);
    return pushRows(adjacency, nodes, options);
  };
  const rows = new RowsOnDemand(push, { alpha: options.alpha, ...(mostEntries !== undefined && { mostEntries }) });
  const expected = (node: number) => {
    const { colIdx, values } = pushRows(adjacency, [node], options);
    return new Map(Array.from(colIdx, (column, e) => [column, values![e]]));
  };
  const actual = (node: number) => {
    const { columns, values } = rows.row(node);
    return new Map(Array.from(columns, (slot, e) => [rows.nodeAt(slot), values[e]]));
  };
  return { rows, pushed, expected, actual };
}

describe("RowsOnDemand", () => {
  test("pushes each row once, however often it is required", async () => {
    const { rows, pushed, expected, actual } = watched();
    await rows.require([3, 5, 3]);
    await rows.require([5, 7]);
    expect(pushed).toEqual([3, 5, 7]);
    for (const node of [3, 5, 7]) expect(actual(node)).toEqual(expected(node));
  });

  test("gives a slot to each node that a row names, and to no other", async () => {
    const { rows, expected } = watched();
    await rows.require([0, 1]);
    const named = new Set([...expected(0).keys(), ...expected(1).keys()]);
    expect(rows.numSlots).toBe(named.size);
    for (let node = 0; node < 40; node++) expect(rows.slotOf(node) >= 0).toBe(named.has(node));
  });

  test("forgets the rows that are not in use once there are too many entries", async () => {
    const { rows, pushed, expected, actual } = watched(20);
    await rows.require([0, 7, 8, 9]);
    const before = pushed.length;
    const { version } = rows;
    await rows.require([9]); // is at hand
    expect(rows.version).toBe(version);
    await rows.require([9, 30]);
    expect(rows.version).toBeGreaterThan(version);
    expect(pushed.slice(before)).toEqual([30]); // row 9 was kept, with new slots
    expect(rows.numSlots).toBe(new Set([...expected(9).keys(), ...expected(30).keys()]).size);
    for (const node of [9, 30]) expect(actual(node)).toEqual(expected(node));
    expect(() => rows.row(0)).toThrow("row 0 was not required");
  });
});

describe("expectedColumns", () => {
  test("has the published values", async () => {
    expect(expectedColumns(2810, 10_000, 64)).toBeCloseTo(2810, 5);
    expect(Math.round(expectedColumns(2_449_029, 20_000, 128))).toBe(1_588_018);
    expect(Math.round(expectedColumns(111_059_956, 2500, 128))).toBe(319_540);
  });

  test("is what random rows name, up to chance", async () => {
    const n = 5000;
    const k = 16;
    const rng = new Rng(0);
    const randomRow = () => {
      const columns = new Set<number>();
      while (columns.size < k) columns.add(rng.integer(n));
      return { columns: [...columns].sort((a, b) => a - b), values: new Array<number>(k).fill(1) };
    };
    const push = (nodes: Int32Array): Csr => stackRows(Array.from(nodes, randomRow), n);
    for (const b of [50, 300, 1000]) {
      const rows = new RowsOnDemand(push, { alpha: 0.2 });
      await rows.require(Array.from({ length: b }, (_, node) => node));
      expect(Math.abs(rows.numSlots / expectedColumns(n, b, k) - 1)).toBeLessThan(0.02);
    }
  });
});
