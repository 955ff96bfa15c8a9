import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { makeBlock } from "../../test/support/block.ts";
import { expectValues, rowsOf, valuesOf } from "../../test/support/dense.ts";
import { expectGradient } from "../../test/support/expect-gradient.ts";
import { randomTensor } from "../../test/support/random-tensor.ts";
import { anyRelaxed, relaxedCase } from "../../test/support/relaxed-case.ts";
import { createReference } from "../backend/reference/reference.ts";
import { applyFlips } from "../graph/flips.ts";
import { type GraphView, toDevice } from "./graph-view.ts";
import { degrees } from "./ops/degrees.ts";
import { add, affine, mul, rsqrt, tanh } from "./ops/elementwise.ts";
import { propagate } from "./ops/propagate.ts";
import { sum } from "./ops/reductions.ts";
import { scaleRows } from "./ops/rows.ts";
import { layOver, relax } from "./overlay.ts";
import { scope } from "./scope.ts";
import { valueAndGrad } from "./tape.ts";
import { filled, type Tensor } from "./tensor.ts";

const backend = createReference();

/** Two layers of a graph convolution: degrees and products meet in one gradient. */
function convolve(view: GraphView, X: Tensor): Tensor {
  const s = rsqrt(affine(degrees(view, "column"), 1, 1));
  const layer = (X: Tensor) => {
    const scaled = scaleRows(X, s);
    return scaleRows(add(propagate(view, scaled), scaled), s);
  };
  return layer(tanh(layer(X)));
}

describe("relax", () => {
  const graph = randomGraph(4, 1, 1); // all six pairs are edges
  const flips = { sources: [0, 1], targets: [1, 3], weights: [1, 0.5] };

  test("lays signed weights over the graph, both directions of each active pair", async () => {
    const { overlay } = relax(toDevice(backend, graph), makeBlock(backend, graph, flips), 0.5)!;
    expect([...(await backend.read(overlay!.active.rowPtr))]).toEqual([0, 1, 2, 2, 2]);
    expect([...(await backend.read(overlay!.active.values!))]).toEqual([-1, -1]);
    expect(overlay!.activeTransposed).toBe(overlay!.active);
  });

  test.each([true, false])("has the gradient of a graph convolution in all weights, directed: %s", async (directed) => {
    const graph = randomGraph(6, 0.4, 2, { directed });
    const sources = [0, 0, 1, 2, 4];
    const targets = [1, 5, 2, 3, 5];
    const { view, block } = relaxedCase(backend, graph, { sources, targets, weights: [0.3, 0.9, 0.5, 0.2, 0.7] });
    const X = randomTensor(backend, [6, 2], 3);
    await expectGradient((weights, X) => convolve(relax(view, { ...block, weights }, 0), X), [block.weights, X], 4);
  });

  test("gives pairs at the floor the gradient they would have inside the product, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyRelaxed(backend), fc.nat(1e6), async ({ view, block, graph }, seed) => {
        const X = randomTensor(backend, [graph.numNodes, 2], seed);
        const Z = randomTensor(backend, [graph.numNodes, 2], seed + 1);
        const gradient = (floor: number) =>
          valueAndGrad(() => [sum(mul(convolve(relax(view, block, floor), X), Z))], [block.weights]).grads[0];
        await expectValues(gradient(0), await valuesOf(gradient(-1))); // below −1: nothing, all pairs take part
      }),
      { numRuns: 30 },
    );
  });

  test("with weight 1 is the flipped graph and with weight 0 the clean one, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyRelaxed(backend), async ({ view, host, graph }) => {
        const X = randomTensor(backend, [graph.numNodes, 2], 5);
        const sources = Int32Array.from(host.sources);
        const targets = Int32Array.from(host.targets);
        const flipped = toDevice(backend, applyFlips(graph, { sources, targets }));
        for (const [weight, same] of [
          [1, flipped],
          [0, view],
        ] as const) {
          const block = makeBlock(backend, graph, { ...host, weights: host.weights.map(() => weight) });
          await expectValues(convolve(relax(view, block, 0), X), await valuesOf(convolve(same, X)));
        }
      }),
      { numRuns: 30 },
    );
  });

  test("lives for its scope, and gives all memory back", () => {
    const { view, block } = relaxedCase(backend, randomGraph(5, 0.5, 6, { directed: true }), {
      sources: [0, 2],
      targets: [1, 3],
      weights: [0.5, 0.5],
    });
    const before = backend.memory.current;
    scope(() => void relax(view, block, 0));
    expect(backend.memory.current).toBe(before);
    relax(view, block, 0).overlay!.dispose();
    expect(backend.memory.current).toBe(before);
  });

  test("can be returned from a scope, without the power to dispose the graph under it", async () => {
    const { view, block } = relaxedCase(backend, graph, flips);
    const relaxed = scope(() => relax(view, block, 0));
    const ones = filled(backend, [4, 1], 1);
    expect((await rowsOf(propagate(relaxed, ones))).flat()).toEqual([2, 1.5, 3, 2.5]);
    expect("dispose" in relaxed).toBe(false);
    const before = backend.memory.current;
    relaxed.overlay!.dispose();
    relaxed.overlay!.dispose();
    expect(backend.memory.current).toBeLessThan(before);
    expect((await rowsOf(propagate(view, ones))).flat()).toEqual([3, 3, 3, 3]);
  });

  test("refuses a block that does not fit, and a second block", () => {
    const view = toDevice(backend, graph);
    const block = makeBlock(backend, graph, flips);
    const three = filled(backend, [3], 1);
    expect(() => relax(view, { ...block, weights: three }, 0)).toThrow("relax: weights must have shape [2], got [3]");
    expect(() => relax(view, { ...block, signs: three }, 0)).toThrow("relax: signs must have shape [2], got [3]");
    const other = makeBlock(backend, randomGraph(5, 0, 1), flips);
    expect(() => relax(view, other, 0)).toThrow("relax: pairs of 5 nodes over a graph of 4");
    expect(() => relax(relax(view, block, 0), block, 0)).toThrow("relax the clean view");
  });
});

describe("layOver", () => {
  test("applies the flips and sends gradients to the candidates", async () => {
    const graph = randomGraph(5, 0.4, 7);
    const view = toDevice(backend, graph);
    const flips = { sources: [0, 1], targets: [2, 4], weights: [1, 1] };
    const candidates = { sources: [0, 0, 3], targets: [1, 3, 4], weights: [0, 0, 0] };
    const applied = makeBlock(backend, graph, flips);
    const asked = makeBlock(backend, graph, candidates);
    const X = randomTensor(backend, [5, 2], 8);
    const { value, grads } = valueAndGrad(
      () => [sum(convolve(layOver(view, applied, 0.5, asked), X))],
      [asked.weights],
    );

    const flipped = applyFlips(graph, { sources: Int32Array.of(0, 1), targets: Int32Array.of(2, 4) });
    const onFlipped = toDevice(backend, flipped);
    const block = makeBlock(backend, flipped, candidates); // the same question, asked of the flipped graph
    const expected = valueAndGrad(() => [sum(convolve(relax(onFlipped, block, 0), X))], [block.weights]);
    await expectValues(value, [await expected.value.item()]);
    await expectValues(grads[0], await valuesOf(expected.grads[0]));
  });
});
