import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph } from "../../../test/support/any-graph.ts";
import { denseOf } from "../../../test/support/dense.ts";
import { inverse } from "../../../test/support/dense-inverse.ts";
import { type Csr, csrFromEntries } from "../csr.ts";
import { addSelfLoops } from "../self-loops.ts";
import { neighboursOf } from "./neighbours.ts";
import { hasRounds, pushRounds } from "./push-rounds.ts";

/** α(I − (1 − α)D⁻¹S)⁻¹ in float64. */
function exactWalk(S: Csr, alpha: number): number[][] {
  const system = denseOf({ ...S, values: null }).map((row, i) => {
    const degree = row.reduce((sum, a) => sum + a, 0);
    return row.map((a, j) => (i === j ? 1 : 0) - ((1 - alpha) * a) / degree);
  });
  return inverse(system).map((row) => row.map((x) => alpha * x));
}

describe("pushRounds", () => {
  test("of two connected nodes with a large tolerance pushes each once", () => {
    const A = csrFromEntries(2, 2, [0, 1], [1, 0]);
    // Node 0 keeps .5 and hands on .25; node 1 keeps .25, and the .125 it hands back is below .5 · .3.
    expect(pushRounds(0, neighboursOf(A), { alpha: 0.5, epsilon: 0.3 })).toEqual({
      columns: [0, 1],
      values: [0.5, 0.25],
    });
  });

  test("pushes a node whose residual equals its threshold", () => {
    const A = csrFromEntries(2, 2, [0, 1], [1, 0]);
    const row = pushRounds(0, neighboursOf(A), { alpha: 0.5, epsilon: 0.25 });
    expect(row).toEqual({ columns: [0, 1], values: [0.625, 0.25] }); // .125 = .5 · .25 comes back to node 0
  });

  test("keeps nearly everything at a node that only has itself", () => {
    const { columns, values } = pushRounds(0, neighboursOf(csrFromEntries(1, 1, [0], [0])), {
      alpha: 0.15,
      epsilon: 1e-5,
    });
    expect(columns).toEqual([0]);
    expect(values[0]).toBeGreaterThan(1 - 1e-5);
    expect(values[0]).toBeLessThanOrEqual(1);
  });

  test("stays below the exact row and misses at most ε times the degree, on any undirected graph", () => {
    fc.assert(
      fc.property(
        anyGraph,
        fc.constantFrom(0.1, 0.25, 0.6),
        fc.constantFrom(1e-1, 1e-2, 1e-4),
        (graph, alpha, epsilon) => {
          fc.pre(!graph.directed);
          const S = addSelfLoops(graph.adjacency);
          const source = graph.numNodes - 1;
          const { columns, values } = pushRounds(source, neighboursOf(S), { alpha, epsilon });
          const estimates = new Map(Array.from(columns, (j, t) => [j, values[t]]));
          for (const [j, exact] of exactWalk(S, alpha)[source].entries()) {
            const missing = exact - (estimates.get(j) ?? 0);
            expect(missing).toBeGreaterThan(-1e-7); // estimates are rounded to float32
            expect(missing).toBeLessThan(epsilon * (S.rowPtr[j + 1] - S.rowPtr[j]));
          }
        },
      ),
    );
  });

  test("is refused for tolerances that 32 bits do not hold", () => {
    const options = { alpha: 0.15, epsilon: 1e-8 };
    expect(hasRounds(options)).toBe(false);
    expect(() => pushRounds(0, neighboursOf(csrFromEntries(1, 1, [0], [0])), options)).toThrow("push on the host");
  });
});
