import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { makeBlock, randomBlock } from "../../../test/support/block.ts";
import { valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { EdgeFactors } from "../../tensor/edge-factors.ts";
import { filled, mul, relax, sum, type Tensor, toDevice, valueAndGrad } from "../../tensor/index.ts";
import { layOverAll } from "../../tensor/overlay.ts";
import { exactDiffusion } from "./exact-diffusion.ts";
import { localDiffusion } from "./local-diffusion.ts";
import { type TopKMatrix, topKProduct } from "./top-k-matrix.ts";

const backend = createReference();
/** Nothing is cut off: all of the 24 nodes are reached and kept. */
const OPTIONS = { alpha: 0.25, k: 5, epsilon: 1e-14 };
const COMPLETE = { support: 24, rank: "symmetric" } as const;

const graph = randomGraph(24, 0.2, 11);
const host = randomBlock(graph, 12);
const view = toDevice(backend, graph);
const block = makeBlock(backend, graph, host);
const X = randomTensor(backend, [24, 3], 13);

const laidOver = (weights: Tensor, floor = 0) => relax(view, { ...block, weights }, floor);

async function gradient(diffusion: (weights: Tensor) => TopKMatrix): Promise<number[]> {
  const loss = () => {
    const Y = topKProduct(diffusion(block.weights), X);
    return [sum(mul(Y, randomTensor(backend, Y.shape, 16)))] as const;
  };
  return valuesOf(valueAndGrad(loss, [block.weights]).grads[0]);
}

describe("localDiffusion", () => {
  test("is exact diffusion where nothing is cut off, in its values and its gradient", async () => {
    const local = (weights: Tensor) => localDiffusion(laidOver(weights), OPTIONS, COMPLETE);
    const exact = (weights: Tensor) => exactDiffusion(laidOver(weights), OPTIONS, 1e-13);
    const P = local(block.weights);
    const Q = exact(block.weights);
    expect([...(await backend.read(P.columns.buffer))]).toEqual([...(await backend.read(Q.columns.buffer))]);
    const expected = await valuesOf(Q.values);
    for (const [e, x] of (await valuesOf(P.values)).entries()) expect(x).toBeCloseTo(expected[e], 9);
    const slopes = await gradient(exact);
    for (const [e, x] of (await gradient(local)).entries()) expect(x).toBeCloseTo(slopes[e], 8);
  });

  test("has the gradient finite differences predict where nothing is cut off", async () => {
    const diffused = (weights: Tensor) => topKProduct(localDiffusion(laidOver(weights, -1), OPTIONS), X);
    await expectGradient(diffused, [block.weights], 14);
  });

  test("comes closer to the exact gradient as more of each row is kept", async () => {
    const exact = await gradient((weights) => exactDiffusion(laidOver(weights), OPTIONS));
    const distances: number[] = [];
    for (const support of [6, 12, 24]) {
      const kept = { ...COMPLETE, support };
      const local = await gradient((weights) => localDiffusion(laidOver(weights), OPTIONS, kept));
      distances.push(Math.hypot(...local.map((x, e) => x - exact[e])));
    }
    expect(distances[1]).toBeLessThan(distances[0]);
    expect(distances[2]).toBeLessThan(1e-5);
  });

  test("fills up rows that push leaves shorter than k with nothing, which has no gradient", async () => {
    const coarse = { ...OPTIONS, k: 20, epsilon: 0.1 };
    const P = localDiffusion(laidOver(block.weights), coarse);
    const columns = await backend.read(P.columns.buffer);
    const values = await valuesOf(P.values);
    const empty = values.flatMap((x, e) => (x === 0 ? [e] : []));
    expect(empty.length).toBeGreaterThan(24);
    for (const e of empty) expect(columns[e]).toBe(Math.floor(e / 20));
    for (const x of await gradient((weights) => localDiffusion(laidOver(weights), coarse))) expect(x).not.toBeNaN();
  });

  test("refuses directed graphs, gradients by all pairs and backends without push", () => {
    const directed = toDevice(backend, randomGraph(9, 0.3, 18, { directed: true }));
    expect(() => localDiffusion(directed, OPTIONS)).toThrow("gdc: the gradient through push needs an undirected graph");
    const all = layOverAll(view, block, filled(backend, [1], 0), new EdgeFactors());
    expect(() => localDiffusion(all, OPTIONS)).toThrow("gdc with method push has no gradient by all pairs at once");
    const elsewhere = toDevice(createReference({ fused: false }), randomGraph(9, 0.3, 18));
    expect(() => localDiffusion(elsewhere, OPTIONS)).toThrow("cannot be differentiated by edges on reference");
  });
});
