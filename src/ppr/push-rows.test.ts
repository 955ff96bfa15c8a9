import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyGraph, randomGraph } from "../../test/support/any-graph.ts";
import type { Backend } from "../backend/backend.ts";
import { createWasm } from "../backend/wasm/wasm.ts";
import { checkCsr } from "../graph/csr.ts";
import { neighboursOf } from "../graph/push/neighbours.ts";
import { addSelfLoops } from "../graph/self-loops.ts";
import { pushRows, pushRowsOf } from "./push-rows.ts";

const all = (n: number) => Int32Array.from({ length: n }, (_, v) => v);

describe("pushRows", () => {
  const backends: Backend[] = [];
  beforeAll(async () => {
    for (const threads of [1, 2, 5]) backends.push(await createWasm({ threads }));
  });
  afterAll(async () => {
    for (const backend of backends) await backend.close();
  });

  test("returns a row for each node asked for, in that order, with ascending columns", () => {
    const { adjacency } = randomGraph(30, 0.2, 1);
    const rows = pushRows(adjacency, [7, 3, 7], { alpha: 0.2, epsilon: 1e-3, k: 5 });
    checkCsr(rows, "rows");
    expect([rows.numRows, rows.numCols]).toEqual([3, 30]);
    expect(rows.colIdx.slice(0, 5)).toEqual(rows.colIdx.slice(10, 15));
    expect(rows.colIdx.slice(5, 10)).toContain(3);
  });

  test("is the same on any number of threads as without, to the last bit", () => {
    const { adjacency } = randomGraph(200, 0.03, 2);
    for (const A of [adjacency, addSelfLoops(adjacency)]) {
      for (const epsilon of [1e-2, 1e-4]) {
        const options = { alpha: 0.13, epsilon, k: 17 };
        const alone = pushRows(A, all(200), options);
        for (const backend of backends) expect(pushRows(A, all(200), options, backend)).toEqual(alone);
      }
    }
  });

  test("is the same with threads on any graph, for any k", () => {
    fc.assert(
      fc.property(anyGraph, fc.integer({ min: 1, max: 13 }), ({ adjacency, numNodes }, k) => {
        const options = { alpha: 0.3, epsilon: 1e-3, k };
        const alone = pushRows(adjacency, all(numNodes), options);
        expect(pushRows(adjacency, all(numNodes), options, backends[1])).toEqual(alone);
        expect(pushRowsOf(neighboursOf(adjacency), numNodes, all(numNodes), options)).toEqual(alone);
      }),
    );
  });

  test("leaves nothing behind in the memory of the backend", () => {
    const before = backends[1].memory.current;
    pushRows(randomGraph(50, 0.1, 3).adjacency, all(50), { alpha: 0.2, epsilon: 1e-3, k: 8 }, backends[1]);
    expect(backends[1].memory.current).toBe(before);
  });

  test("refuses nodes that are not there and a k that keeps nothing", () => {
    const { adjacency } = randomGraph(5, 0.5, 4);
    const options = { alpha: 0.2, epsilon: 1e-3 };
    expect(() => pushRows(adjacency, [5], { ...options, k: 1 })).toThrow("pushRows: node 5 must be in 0 … 4");
    expect(() => pushRows(adjacency, [0], { ...options, k: 0 })).toThrow(
      "pushRows: k must be a whole number from 1 on",
    );
  });
});
