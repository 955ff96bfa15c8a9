import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph } from "../../../test/support/any-graph.ts";
import { denseOf } from "../../../test/support/dense.ts";
import { inverse } from "../../../test/support/dense-inverse.ts";
import { csrFromEntries } from "../csr.ts";
import { rowDegrees } from "../degrees.ts";
import type { Graph } from "../graph.ts";
import { neighboursOf } from "./neighbours.ts";
import { push } from "./push.ts";
import { DenseWorkspace, HashWorkspace } from "./push-workspace.ts";

/** α(I − (1 − α)D⁻¹A)⁻¹ in float64. */
function exactWalk({ adjacency }: Graph, alpha: number): number[][] {
  const degrees = rowDegrees(adjacency);
  const system = denseOf(adjacency).map((row, i) =>
    row.map((a, j) => (i === j ? 1 : 0) - (a === 0 ? 0 : ((1 - alpha) * a) / degrees[i])),
  );
  return inverse(system).map((row) => row.map((x) => alpha * x));
}

function pushed(graph: Graph, source: number, alpha: number, epsilon: number): number[] {
  const n = graph.numNodes;
  const { columns, values } = push(source, neighboursOf(graph.adjacency), { alpha, epsilon }, new DenseWorkspace(n));
  const row = new Array<number>(n).fill(0);
  for (let t = 0; t < columns.length; t++) row[columns[t]] = values[t];
  return row;
}

describe("push", () => {
  test("of two connected nodes with a large tolerance pushes each once", () => {
    const A = csrFromEntries(2, 2, [0, 1], [1, 0]);
    // Node 0 keeps .5 and hands on .25; node 1 keeps .25, and the .125 it hands back is below .5 · .3.
    const row = push(0, neighboursOf(A), { alpha: 0.5, epsilon: 0.3 }, new DenseWorkspace(2));
    expect(row).toEqual({ columns: [0, 1], values: [0.5, 0.25] });
  });

  test("pushes a node whose residual equals its threshold", () => {
    const A = csrFromEntries(2, 2, [0, 1], [1, 0]);
    const row = push(0, neighboursOf(A), { alpha: 0.5, epsilon: 0.25 }, new DenseWorkspace(2));
    expect(row).toEqual({ columns: [0, 1], values: [0.625, 0.25] }); // .125 = .5 · .25 comes back to node 0
  });

  test("of a node without neighbours keeps the restart probability", () => {
    const A = csrFromEntries(2, 2, [], []);
    const row = push(1, neighboursOf(A), { alpha: 0.25, epsilon: 0.1 }, new DenseWorkspace(2));
    expect(row).toEqual({ columns: [1], values: [0.25] });
  });

  test("stays below the exact row and misses at most ε times the degree, on any undirected graph", () => {
    fc.assert(
      fc.property(
        anyGraph,
        fc.constantFrom(0.1, 0.25, 0.6),
        fc.constantFrom(1e-1, 1e-2, 1e-4),
        (graph, alpha, epsilon) => {
          fc.pre(!graph.directed);
          const exact = exactWalk(graph, alpha);
          const degrees = rowDegrees(graph.adjacency);
          const source = graph.numNodes - 1;
          for (const [v, p] of pushed(graph, source, alpha, epsilon).entries()) {
            expect(p).toBeLessThanOrEqual(exact[source][v] + 1e-6);
            expect(exact[source][v] - p).toBeLessThanOrEqual(epsilon * degrees[v] + 1e-6);
          }
        },
      ),
    );
  });

  test("gives the same bits with hashed state and with a workspace that was used before", () => {
    const hash = new HashWorkspace();
    const used = new DenseWorkspace(12);
    fc.assert(
      fc.property(anyGraph, ({ adjacency, numNodes }) => {
        for (let source = 0; source < numNodes; source++) {
          const options = { alpha: 0.2, epsilon: 1e-3 };
          const fresh = push(source, neighboursOf(adjacency), options, new DenseWorkspace(numNodes));
          expect(push(source, neighboursOf(adjacency), options, hash)).toEqual(fresh);
          expect(push(source, neighboursOf(adjacency), options, used)).toEqual(fresh);
        }
      }),
    );
  });

  test("asks a graph that is not in memory only for the rows it visits", () => {
    const asked = new Set<number>();
    const ring = { degree: () => 2, neighbours: (v: number) => [(v + 1) % 2 ** 40, (v + 2 ** 40 - 1) % 2 ** 40] };
    const watched = { ...ring, neighbours: (v: number) => [...(asked.add(v) && ring.neighbours(v))] };
    const { columns } = push(2 ** 40 - 1, watched, { alpha: 0.2, epsilon: 1e-3 }, new HashWorkspace());
    expect(new Set(columns as number[])).toEqual(asked);
    expect(columns).toContain(0);
    expect(asked.size).toBeLessThan(40);
  });

  test("visits more nodes than the first arrays of a hashed workspace hold", () => {
    const star = { degree: (v: number) => (v === 0 ? 5000 : 1), neighbours: (v: number) => (v === 0 ? leaves : [0]) };
    const leaves = Array.from({ length: 5000 }, (_, v) => v + 1);
    const { columns, values } = push(0, star, { alpha: 0.2, epsilon: 1e-6 }, new HashWorkspace());
    expect(columns.length).toBe(5001);
    // Exactly: the centre has x = α + (1 − α)·Σ leaves and every leaf (1 − α)·x / 5000, so x = α / (1 − .64).
    expect(values[0]).toBeCloseTo(0.2 / 0.36, 2);
    for (const leaf of Array.from(values).slice(1)) expect(leaf).toBeCloseTo((0.8 * 0.2) / 0.36 / 5000, 5);
  });

  test("refuses options that mean nothing", () => {
    const A = neighboursOf(csrFromEntries(1, 1, [], []));
    const run = (alpha: number, epsilon: number) => push(0, A, { alpha, epsilon }, new DenseWorkspace(1));
    expect(() => run(0, 0.1)).toThrow("push: alpha must be between 0 and 1, got 0");
    expect(() => run(0.1, 0)).toThrow("push: epsilon must be above 0, got 0");
  });
});
