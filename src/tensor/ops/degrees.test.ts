import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { randomBlock } from "../../../test/support/block.ts";
import { expectValues, transposed, valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { anyRelaxed, relaxedCase } from "../../../test/support/relaxed-case.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { csrFromEntries } from "../../graph/csr.ts";
import { toDevice } from "../graph-view.ts";
import { relax } from "../overlay.ts";
import { valueAndGrad } from "../tape.ts";
import { degrees } from "./degrees.ts";
import { add, mul } from "./elementwise.ts";
import { sum } from "./reductions.ts";

const backend = createReference();

describe("degrees", () => {
  const graph = randomGraph(3, 0, 1, { directed: true }).withAdjacency(csrFromEntries(3, 3, [0, 0, 2], [1, 2, 1]));
  const flips = { sources: [0, 1], targets: [1, 2], weights: [0.25, 0.5] }; // a removal and an insertion

  test("of a directed graph count by row or by column, with weighted flips", async () => {
    const { view, block } = relaxedCase(backend, graph, flips);
    expect(await valuesOf(degrees(view, "row"))).toEqual([2, 0, 1]);
    expect(await valuesOf(degrees(view, "column"))).toEqual([0, 2, 1]);
    const relaxed = relax(view, block, 0);
    expect(await valuesOf(degrees(relaxed, "row"))).toEqual([1.75, 0.5, 1]);
    expect(await valuesOf(degrees(relaxed, "column"))).toEqual([0, 1.75, 1.5]);
  });

  test.each([true, false])("have the gradient finite differences predict, directed: %s", async (directed) => {
    const graph = randomGraph(7, 0.4, 81, { directed });
    const host = randomBlock(graph, 82);
    const weights = host.weights.map((p) => Math.max(p, 0.2));
    const { view, block } = relaxedCase(backend, graph, { ...host, weights });
    for (const sums of ["row", "column"] as const) {
      await expectGradient((weights) => degrees(relax(view, { ...block, weights }, 0), sums), [block.weights], 83);
    }
    await expectGradient(
      (weights) => {
        const relaxed = relax(view, { ...block, weights }, 0);
        return add(degrees(relaxed, "row"), degrees(relaxed, "column"));
      },
      [block.weights],
      84,
    );
  });

  test("are the sums of the dense matrix, and reach every pair with their gradient, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyRelaxed(backend), fc.nat(1e6), async ({ graph, host, view, block, dense }, seed) => {
        const d = randomTensor(backend, [graph.numNodes], seed);
        const slopes = await valuesOf(d);
        const signs = await valuesOf(block.signs);
        for (const sums of ["row", "column"] as const) {
          const rows = sums === "row" ? dense : transposed(dense);
          await expectValues(
            degrees(relax(view, block, 0), sums),
            rows.map((row) => row.reduce((a, b) => a + b, 0)),
          );
          const { grads } = valueAndGrad(() => [sum(mul(degrees(relax(view, block, 0), sums), d))], [block.weights]);
          const expected = signs.map((sign, e) => {
            const atSource = slopes[host.sources[e]];
            const atTarget = slopes[host.targets[e]];
            if (!graph.directed) return sign * (atSource + atTarget);
            return sign * (sums === "row" ? atSource : atTarget);
          });
          await expectValues(grads[0], expected);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("of a graph without a block have no gradient to ask for", () => {
    const view = toDevice(backend, graph);
    const x = randomTensor(backend, [1], 1);
    expect(() => valueAndGrad(() => [sum(degrees(view, "row"))], [x])).toThrow("does not depend on");
  });
});
