import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { createReference } from "../backend/reference/reference.ts";
import { pushRows } from "./push-rows.ts";
import { PushedRows } from "./pushed-rows.ts";

const { adjacency } = randomGraph(30, 0.2, 1);
const options = { alpha: 0.2, epsilon: 1e-3, k: 5 };
const all = Array.from({ length: 30 }, (_, v) => v);

describe("PushedRows", () => {
  test("are those of all nodes, and stay for whoever pushes with the same settings", () => {
    const pushed = new PushedRows(adjacency, createReference());
    const rows = pushed.all(options);
    expect(rows).toEqual(pushRows(adjacency, all, options));
    expect(pushed.all({ ...options })).toBe(rows);
  });
  test("are pushed anew for any other setting", () => {
    const pushed = new PushedRows(adjacency, createReference());
    for (const change of [{ alpha: 0.3 }, { epsilon: 1e-2 }, { k: 4 }]) {
      pushed.all(options);
      const other = { ...options, ...change };
      expect(pushed.all(other)).toEqual(pushRows(adjacency, all, other));
    }
  });
});
