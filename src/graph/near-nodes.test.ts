import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph } from "../../test/support/any-graph.ts";
import { csrFromEntries } from "./csr.ts";
import { edgesBetween, nearNodes } from "./near-nodes.ts";
import { symmetrise } from "./symmetrise.ts";

const rowsOf = ({ rowPtr, colIdx }: { rowPtr: ArrayLike<number>; colIdx: Int32Array }) => ({
  neighbours: (v: number) => colIdx.subarray(rowPtr[v], rowPtr[v + 1]),
});
const path = rowsOf(symmetrise(csrFromEntries(6, 6, [0, 1, 2, 3, 4], [1, 2, 3, 4, 5]))); // 0 – 1 – 2 – 3 – 4 – 5

describe("nearNodes", () => {
  test("finds the nodes within two steps of a path, the nearest first", () => {
    expect(nearNodes(path, [2], { hops: 2, most: 10 })).toEqual({
      nodes: Int32Array.of(2, 1, 3, 0, 4),
      distances: Int32Array.of(0, 1, 1, 2, 2),
      complete: true,
    });
  });
  test("stops at the most that it may show and says so", () => {
    const { nodes, complete } = nearNodes(path, [0, 5], { hops: 3, most: 3 });
    expect([[...nodes], complete]).toEqual([[0, 5, 1], false]);
  });
  test("agrees with the distances by repeated relaxation, on any graph", () => {
    fc.assert(
      fc.property(anyGraph, fc.nat(3), (graph, hops) => {
        const { adjacency, numNodes } = graph;
        const distances = new Array<number>(numNodes).fill(Infinity);
        distances[0] = 0;
        for (let round = 0; round < numNodes; round++) {
          for (let i = 0; i < numNodes; i++) {
            for (const j of rowsOf(adjacency).neighbours(i)) distances[j] = Math.min(distances[j], distances[i] + 1);
          }
        }
        const near = nearNodes(rowsOf(adjacency), [0], { hops, most: numNodes });
        const expected = distances.map((d, node) => [node, d]).filter(([, d]) => d <= hops);
        const found = [...near.nodes].map((node, k) => [node, near.distances[k]]).sort(([a], [b]) => a - b);
        expect(found).toEqual(expected);
      }),
    );
  });
});

describe("edgesBetween", () => {
  test("lists undirected edges once and leaves out those that lead away", () => {
    expect(edgesBetween(path, Int32Array.of(3, 2, 5), false)).toEqual([[2, 3]]);
    expect(edgesBetween(path, Int32Array.of(3, 2, 5), true)).toEqual([
      [3, 2],
      [2, 3],
    ]);
  });
});
