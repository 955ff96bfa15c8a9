import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { createReference } from "../backend/reference/reference.ts";
import { pushRows } from "./push-rows.ts";
import { allPushedRows } from "./pushed-rows.ts";

const { adjacency } = randomGraph(30, 0.2, 1);
const options = { alpha: 0.2, epsilon: 1e-3, k: 5 };
const all = Array.from({ length: 30 }, (_, v) => v);

describe("allPushedRows", () => {
  const backend = createReference();
  test("are those of all nodes, and stay for whoever pushes with the same settings", () => {
    const rows = allPushedRows(adjacency, options, backend);
    expect(rows).toEqual(pushRows(adjacency, all, options));
    expect(allPushedRows(adjacency, { ...options }, backend)).toBe(rows);
  });
  test("are pushed anew for any other setting, and for any other graph", () => {
    for (const change of [{ alpha: 0.3 }, { epsilon: 1e-2 }, { k: 4 }]) {
      allPushedRows(adjacency, options, backend);
      const other = { ...options, ...change };
      expect(allPushedRows(adjacency, other, backend)).toEqual(pushRows(adjacency, all, other));
    }
    expect(allPushedRows({ ...adjacency }, options, backend)).not.toBe(allPushedRows(adjacency, options, backend));
  });
});
