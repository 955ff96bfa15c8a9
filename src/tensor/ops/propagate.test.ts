import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { makeBlock, randomBlock } from "../../../test/support/block.ts";
import { expectValues, product, rowsOf, transposed } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { anyRelaxed, relaxedCase } from "../../../test/support/relaxed-case.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { csrFromEntries } from "../../graph/csr.ts";
import { Graph } from "../../graph/graph.ts";
import { toDevice } from "../graph-view.ts";
import { relax } from "../overlay.ts";
import { valueAndGrad } from "../tape.ts";
import { tensor } from "../tensor.ts";
import { add, mul } from "./elementwise.ts";
import { propagate } from "./propagate.ts";
import { sum } from "./reductions.ts";

const backend = createReference();

/** Nodes 0, 1, 2 and the one edge {0, 1}, or 0 → 1. */
function oneEdge(directed: boolean): Graph {
  return new Graph({
    adjacency: directed ? csrFromEntries(3, 3, [0], [1]) : csrFromEntries(3, 3, [0, 1], [1, 0]),
    features: { numRows: 3, numCols: 1, data: Float32Array.of(1, 10, 100) },
    labels: Int32Array.of(0, 0, 0),
    directed,
  });
}

describe("propagate", () => {
  const flips = { sources: [0, 0], targets: [1, 2], weights: [0.25, 0.5] }; // a removal and an insertion
  const X = tensor(backend, [1, 10, 100], [3, 1]);

  test("sums neighbours, with a quarter of an edge taken and half of another given", async () => {
    const graph = oneEdge(false);
    const view = relax(toDevice(backend, graph), makeBlock(backend, graph, flips), 0);
    expect(await rowsOf(propagate(view, X))).toEqual([[7.5 + 50], [0.75], [0.5]]);
  });

  test("changes one direction only of a directed graph", async () => {
    const graph = oneEdge(true);
    const view = relax(toDevice(backend, graph), makeBlock(backend, graph, flips), 0);
    expect(await rowsOf(propagate(view, X))).toEqual([[57.5], [0], [0]]);
  });

  test("of the clean graph sums neighbours", async () => {
    expect(await rowsOf(propagate(toDevice(backend, oneEdge(false)), X))).toEqual([[10], [1], [0]]);
  });

  test.each([true, false])("has the gradient finite differences predict, directed: %s", async (directed) => {
    const graph = randomGraph(7, 0.4, 71, { directed });
    const host = randomBlock(graph, 72);
    const weights = host.weights.map((p) => Math.max(p, 0.2)); // all active: the product is smooth around them
    const { view, block } = relaxedCase(backend, graph, { ...host, weights });
    await expectGradient(
      (weights, X) => {
        const relaxed = relax(view, { ...block, weights }, 0);
        return add(propagate(relaxed, propagate(relaxed, X)), X);
      },
      [block.weights, randomTensor(backend, [7, 3], 73)],
      74,
    );
  });

  test("equals the dense (A ⊕ p)·X and has its gradient in X, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyRelaxed(backend), fc.nat(1e6), async ({ view, block, dense, graph }, seed) => {
        const X = randomTensor(backend, [graph.numNodes, 2], seed);
        const Z = randomTensor(backend, [graph.numNodes, 2], seed + 1);
        await expectValues(propagate(relax(view, block, 0), X), product(dense, await rowsOf(X)).flat());
        const { grads } = valueAndGrad(() => [sum(mul(propagate(relax(view, block, 0), X), Z))], [X]);
        await expectValues(grads[0], product(transposed(dense), await rowsOf(Z)).flat());
      }),
      { numRuns: 40 },
    );
  });

  test("has the weight gradient ±(⟨dY_i, X_j⟩ + ⟨dY_j, X_i⟩) for every pair, also those at the floor", async () => {
    await fc.assert(
      fc.asyncProperty(anyRelaxed(backend), fc.nat(1e6), async ({ view, block, host, graph }, seed) => {
        const n = graph.numNodes;
        const X = randomTensor(backend, [n, 2], seed);
        const dY = randomTensor(backend, [n, 2], seed + 1);
        const { grads } = valueAndGrad(() => [sum(mul(propagate(relax(view, block, 0), X), dY))], [block.weights]);
        const G = product(await rowsOf(dY), transposed(await rowsOf(X))); // ∂/∂A_ij of the dense product
        const signs = await block.signs.read();
        const expected = host.sources.map((i, e) => {
          const j = host.targets[e];
          return signs[e] * (G[i][j] + (graph.directed ? 0 : G[j][i]));
        });
        await expectValues(grads[0], expected);
      }),
      { numRuns: 40 },
    );
  });

  test("gives no weight above zero to pairs at the floor, but a gradient", async () => {
    const graph = oneEdge(false);
    const block = makeBlock(backend, graph, { ...flips, weights: [0.01, 0.01] });
    const view = toDevice(backend, graph);
    const { value, grads } = valueAndGrad(() => [sum(propagate(relax(view, block, 0.01), X))], [block.weights]);
    expect(await value.item()).toBe(11); // the clean sum
    await expectValues(grads[0], [-11, 101]);
  });

  test("says which argument has the wrong shape", () => {
    const view = toDevice(backend, oneEdge(false));
    expect(() => propagate(view, tensor(backend, [1, 2], [2, 1]))).toThrow(
      "propagate: X must have shape [3, f], got [2, 1]",
    );
  });
});
