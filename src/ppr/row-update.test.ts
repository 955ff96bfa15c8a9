import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph, randomGraph } from "../../test/support/any-graph.ts";
import { denseOf } from "../../test/support/dense.ts";
import { inverse } from "../../test/support/dense-inverse.ts";
import { Rng } from "../core/rng.ts";
import { csrFromEntries } from "../graph/csr.ts";
import { type DenominatorGradient, type RowChange, type SlottedRows, updatePageRank } from "./row-update.ts";

/** Π = α(I − (1 − α)D⁻¹A)⁻¹ in float64. */
function exactPageRankOf(A: readonly (readonly number[])[], alpha: number): number[][] {
  const sums = A.map((row) => row.reduce((sum, a) => sum + a, 0));
  const system = A.map((row, i) => row.map((a, j) => (i === j ? 1 : 0) - (a === 0 ? 0 : ((1 - alpha) * a) / sums[i])));
  return inverse(system).map((row) => row.map((x) => alpha * x));
}

/** Exact rows; every node is its own slot. */
function exactRows(A: readonly (readonly number[])[], alpha: number): SlottedRows {
  const Pi = exactPageRankOf(A, alpha);
  const columns = A.map((_, j) => j);
  return { alpha, numSlots: A.length, slotOf: (node) => node, row: (node) => ({ columns, values: Pi[node] }) };
}

function neighboursIn(A: readonly (readonly number[])[], node: number): number[] {
  return A[node].flatMap((a, j) => (a === 0 ? [] : [j]));
}

/** About half of the other nodes, each with a part of its edge to `node` added or taken away. */
function randomChange(A: readonly (readonly number[])[], node: number, rng: Rng): RowChange {
  const nodes = A.flatMap((_, j) => (j === node || rng.uniform() < 0.5 ? [] : [j]));
  const deltas = nodes.map((j) => (A[node][j] === 0 ? 1 : -1) * (0.05 + 0.9 * rng.uniform()));
  return { nodes, deltas };
}

function changed(A: readonly (readonly number[])[], node: number, { nodes, deltas }: RowChange): number[][] {
  const B = A.map((row) => [...row]);
  for (let t = 0; t < nodes.length; t++) B[node][nodes[t]] += deltas[t];
  return B;
}

describe("updatePageRank", () => {
  test("is the published example for every target", async () => {
    const A = [
      [0, 1, 0, 1],
      [1, 0, 1, 0],
      [0, 1, 0, 1],
      [1, 1, 1, 0],
    ];
    const p = [0.5, 0.3, 0, 0.3];
    for (const node of A.keys()) {
      const nodes = [0, 1, 3].filter((j) => j !== node);
      const change = { nodes, deltas: nodes.map((j) => (A[node][j] === 0 ? p[j] : -p[j])) };
      const { values } = updatePageRank(exactRows(A, 0.1), node, neighboursIn(A, node), change);
      const expected = exactPageRankOf(changed(A, node, change), 0.1)[node];
      for (const [j, x] of expected.entries()) expect(values[j]).toBeCloseTo(x, 10);
    }
  });

  test("equals the recomputed exact row on any graph, for any change of a row", async () => {
    fc.assert(
      fc.property(anyGraph, fc.constantFrom(0.05, 0.15, 0.5), fc.nat(1e6), ({ adjacency, numNodes }, alpha, seed) => {
        const A = denseOf(adjacency);
        const node = seed % numNodes;
        const change = randomChange(A, node, new Rng(seed));
        const row = updatePageRank(exactRows(A, alpha), node, neighboursIn(A, node), change);
        const expected = exactPageRankOf(changed(A, node, change), alpha)[node];
        for (const [j, x] of expected.entries()) expect(row.values[j]).toBeCloseTo(x, 10);
      }),
    );
  });

  test("computes nothing but the columns of the rows that count", async () => {
    const A = denseOf(randomGraph(30, 0.1, 4).adjacency);
    const rows = exactRows(A, 0.2);
    const read = new Set<number>();
    const cut: SlottedRows = {
      ...rows,
      row: (node) => {
        read.add(node);
        return { columns: [node, (node + 1) % 30], values: [0.5, 0.25] };
      },
    };
    const neighbours = neighboursIn(A, 3);
    const change = { nodes: [17], deltas: [0.5] };
    const { slots } = updatePageRank(cut, 3, neighbours, change);
    expect(read).toEqual(new Set([3, 17, ...neighbours]));
    expect(new Set(slots)).toEqual(new Set([3, 17, ...neighbours].flatMap((v) => [v, (v + 1) % 30])));
  });

  test("has the gradient that finite differences predict, with the denominator held or not", async () => {
    const step = 1e-6;
    fc.assert(
      fc.property(fc.nat(1e6), fc.constantFrom<DenominatorGradient>("constant", "exact"), (seed, kind) => {
        const A = denseOf(randomGraph(9, 0.4, seed).adjacency);
        const rng = new Rng(seed + 1);
        const node = seed % 9;
        const neighbours = neighboursIn(A, node);
        fc.pre(neighbours.length > 0);
        const rows = exactRows(A, 0.2);
        const change = randomChange(A, node, rng);
        const score = A.map(() => rng.normal());
        const denominatorOf = ({ nodes, deltas }: RowChange) => {
          const B = changed(A, node, { nodes, deltas });
          const share = (row: readonly number[], j: number) => row[j] / row.reduce((sum, a) => sum + a, 0);
          const w = A.map((_, j) => -0.8 * (share(B[node], j) - share(A[node], j)));
          return 1 + w.reduce((sum, x, j) => sum + (x * rows.row(j).values[node]) / 0.2, 0);
        };
        /** ⟨score, Π̃ − Π⟩, with the denominator of `change` where it is a constant. */
        const value = (at: RowChange) => {
          const moved = updatePageRank(rows, node, neighbours, at).values;
          const hold = kind === "exact" ? 1 : denominatorOf(at) / denominatorOf(change);
          return score.reduce((sum, s, j) => sum + s * hold * (moved[j] - rows.row(node).values[j]), 0);
        };
        const row = updatePageRank(rows, node, neighbours, change);
        const used = new Set([...neighbours, ...Array.from(change.nodes)]);
        const others = A.flatMap((_, j) => (used.has(j) && rows.row(node).values[j] > 1e-9 ? [j] : []));
        const gradient = row.gradient(Float64Array.from(score), others, kind);
        for (const [t, other] of others.entries()) {
          const along = (by: number) => ({
            nodes: [...Array.from(change.nodes), other],
            deltas: [...Array.from(change.deltas), by],
          });
          const numeric = (value(along(step)) - value(along(-step))) / (2 * step);
          expect(Math.abs(gradient[t] - numeric)).toBeLessThan(1e-6 * Math.max(1, Math.abs(numeric)));
        }
      }),
      { numRuns: 30 },
    );
  });

  test("cuts negative entries off, and their gradient with them", async () => {
    // Rows that no graph has: taking neighbour 1 away takes more from slot 1 than row 0 has there.
    const entries: Record<number, number[]> = { 0: [0.5, 0.1, 0], 1: [0.1, 0.9, 0], 2: [0.1, 0, 0.9] };
    const row = (node: number) => ({ columns: [0, 1, 2], values: entries[node]! });
    const rows: SlottedRows = { alpha: 0.5, numSlots: 3, slotOf: (node) => node, row };
    const { values, gradient } = updatePageRank(rows, 0, [1], { nodes: [1, 2], deltas: [-0.9, 0.9] });
    expect(values[1]).toBe(0);
    expect(values[2]).toBeGreaterThan(0);
    expect([...gradient(Float64Array.of(0, 1, 0), [1, 2], "constant")].map(Math.abs)).toEqual([0, 0]);
    expect(gradient(Float64Array.of(0, 0, 1), [2], "constant")[0]).toBeGreaterThan(0);
  });

  test("counts what weight on an unused node would lift from 0", async () => {
    const A = denseOf(csrFromEntries(4, 4, [0, 1, 2, 3], [1, 0, 3, 2])); // two components
    const rows = exactRows(A, 0.2);
    const row = updatePageRank(rows, 0, [1], { nodes: [], deltas: [] });
    const [gradient] = row.gradient(Float64Array.of(0, 0, 0, 1), [2], "exact");
    const lifted = updatePageRank(rows, 0, [1], { nodes: [2], deltas: [1e-7] }).values[3];
    expect(row.values[3]).toBe(0);
    expect(gradient).toBeCloseTo(lifted / 1e-7, 5);
  });

  test("refuses to take all neighbours away", async () => {
    const A = denseOf(randomGraph(5, 1, 1).adjacency);
    const all = { nodes: [1, 2, 3, 4], deltas: [-1, -1, -1, -1] };
    expect(() => updatePageRank(exactRows(A, 0.2), 0, [1, 2, 3, 4], all)).toThrow(
      "updatePageRank: the changed row of node 0 must have a sum above 0, got 0; leave it a neighbour",
    );
  });
});
