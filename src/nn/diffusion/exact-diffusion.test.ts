import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { denseRelaxed, makeBlock, randomBlock } from "../../../test/support/block.ts";
import { expectValues, product, valuesOf } from "../../../test/support/dense.ts";
import { denseDiffusion } from "../../../test/support/dense-diffusion.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { EdgeFactors } from "../../tensor/edge-factors.ts";
import { empty, filled, mul, relax, sum, type Tensor, toDevice, valueAndGrad } from "../../tensor/index.ts";
import { layOverAll } from "../../tensor/overlay.ts";
import { exactDiffusion } from "./exact-diffusion.ts";
import { type TopKMatrix, topKProduct } from "./top-k-matrix.ts";

const backend = createReference();
const OPTIONS = { alpha: 0.25, k: 5 };

/** A graph of 24 nodes with a block of half its pairs, of which every second is inactive. */
const graph = randomGraph(24, 0.2, 11);
const host = randomBlock(graph, 12);
const view = toDevice(backend, graph);
const block = makeBlock(backend, graph, host);
const X = randomTensor(backend, [24, 3], 13);

/** P(A ⊕ p)·X with PageRank to 1e-13, so that finite differences see the gradient alone. */
function diffused(weights: Tensor, floor: number, V = X): Tensor {
  const relaxed = relax(view, { ...block, weights }, floor);
  return topKProduct(exactDiffusion(relaxed, OPTIONS, 1e-13), V);
}

describe("exactDiffusion", () => {
  test("is the dense construction, step by step, on a clean graph", async () => {
    const P = exactDiffusion(view, OPTIONS, 1e-13);
    const rows = Array.from({ length: 24 }, (_, i) => [...Array(3)].map((_, c) => i + c));
    const dense = product(
      denseDiffusion(denseRelaxed(graph, { sources: [], targets: [], weights: [] }), 0.25, 5),
      rows,
    );
    const V = randomTensor(backend, [24, 3], 1);
    V.assign(Float64Array.from(rows.flat()));
    await expectValues(topKProduct(P, V), dense.flat(), 1e-9);
  });

  test("is the dense construction on a relaxed graph", async () => {
    const values = await valuesOf(X);
    const rows = Array.from({ length: 24 }, (_, i) => values.slice(3 * i, 3 * i + 3));
    const expected = product(denseDiffusion(denseRelaxed(graph, host), 0.25, 5), rows);
    await expectValues(diffused(block.weights, 0), expected.flat(), 1e-8);
  });

  test("has the gradient finite differences predict, by edges and by features", async () => {
    await expectGradient((weights) => diffused(weights, -1), [block.weights], 14); // all pairs are active
    await expectGradient((V) => diffused(block.weights, 0, V), [X], 15);
  });

  test("gives inactive pairs the gradient they would have if they were active", async () => {
    const gradient = async (floor: number) => {
      const loss = () => {
        const Y = diffused(block.weights, floor);
        return [sum(mul(Y, randomTensor(backend, Y.shape, 16)))] as const;
      };
      return valuesOf(valueAndGrad(loss, [block.weights]).grads[0]);
    };
    const some = await gradient(0);
    const all = await gradient(-1);
    expect(host.weights.filter((p) => p === 0).length).toBeGreaterThan(20);
    for (const [e, g] of all.entries()) expect(some[e]).toBeCloseTo(g, 9);
    expect(Math.max(...host.weights.map((p, e) => (p === 0 ? Math.abs(some[e]) : 0)))).toBeGreaterThan(1e-3);
  });

  test("collects the gradient by all pairs as factors that give it for any of them", async () => {
    const loss = (P: TopKMatrix) => {
      const Y = topKProduct(P, X);
      return [sum(mul(Y, randomTensor(backend, Y.shape, 16)))] as const;
    };
    const direct = valueAndGrad(() => loss(exactDiffusion(relax(view, block, 0), OPTIONS)), [block.weights]);
    const factors = new EdgeFactors();
    const anchor = filled(backend, [1], 0);
    valueAndGrad(() => loss(exactDiffusion(layOverAll(view, block, anchor, factors), OPTIONS)), [anchor]);
    const out = empty(backend, [block.pairs.length]);
    factors.evaluate(out.buffer, block.pairs);
    const unsigned = await valuesOf(out);
    const signs = await valuesOf(block.signs);
    await expectValues(
      direct.grads[0],
      unsigned.map((g, e) => g * signs[e]),
    );
  });

  test("adds up the gradients of two layers that share the matrix", async () => {
    await expectGradient(
      (weights) => {
        const P = exactDiffusion(relax(view, { ...block, weights }, -1), OPTIONS, 1e-13);
        return topKProduct(P, topKProduct(P, X));
      },
      [block.weights],
      17,
    );
  });

  test("multiplies with other values in its places, with the gradient finite differences predict by these", async () => {
    const P = exactDiffusion(view, OPTIONS);
    const values = randomTensor(backend, [24 * OPTIONS.k], 18);
    await expectGradient((values, V) => topKProduct(P, V!, values), [values, X], 19);
  });

  test("refuses directed graphs and a k that could lose the diagonal", () => {
    const directed = toDevice(backend, randomGraph(9, 0.3, 18, { directed: true }));
    expect(() => exactDiffusion(directed, OPTIONS)).toThrow("gdc: exact PageRank needs an undirected graph");
    expect(() => exactDiffusion(view, { alpha: 0.25, k: 3 })).toThrow("gdc: k must be at least 1 / alpha = 4");
  });
});
