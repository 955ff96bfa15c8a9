import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { randomBlock } from "../../../test/support/block.ts";
import { expectValues, valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { anyRelaxed, relaxedCase } from "../../../test/support/relaxed-case.ts";
import type { Backend } from "../../backend/backend.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { toDevice } from "../graph-view.ts";
import { relax } from "../overlay.ts";
import { valueAndGrad } from "../tape.ts";
import { type Tensor, tensor } from "../tensor.ts";
import { convolve } from "./convolve.ts";
import { add, affine, exp } from "./elementwise.ts";
import { propagate } from "./propagate.ts";
import { sum } from "./reductions.ts";
import { scaleRows } from "./rows.ts";

const backend = createReference();
const BACKENDS: Record<string, Backend> = { fused: backend, composed: createReference({ fused: false }) };

describe("convolve", () => {
  test("is scaling, summing neighbours, pairs and the node itself, and scaling, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyRelaxed(backend), fc.nat(1e6), fc.boolean(), async ({ view, block, graph }, seed, both) => {
        const n = graph.numNodes;
        const X = randomTensor(backend, [n, 3], seed);
        const scale = exp(randomTensor(backend, [n], seed + 2));
        const relaxed = relax(view, block, 0);
        const from = both ? scaleRows(X, scale) : X;
        const expected = scaleRows(add(propagate(relaxed, from), from), scale);
        await expectValues(convolve(relaxed, X, scale, both ? "both" : "left"), await valuesOf(expected));
      }),
      { numRuns: 40 },
    );
  });

  const cases = [true, false].flatMap((directed) =>
    (["both", "left"] as const).flatMap((sides) =>
      Object.keys(BACKENDS).map((kernels) => ({ directed, sides, kernels })),
    ),
  );
  test.each(cases)("has the gradient finite differences predict, %o", async ({ directed, sides, kernels }) => {
    const backend = BACKENDS[kernels];
    const graph = randomGraph(7, 0.4, 71, { directed });
    const host = randomBlock(graph, 72);
    const weights = host.weights.map((p) => Math.max(p, 0.2)); // all active: the product is smooth around them
    const { view, block } = relaxedCase(backend, graph, { ...host, weights });
    const inputs = [block.weights, randomTensor(backend, [7, 3], 73), randomTensor(backend, [7], 74)];
    await expectGradient(
      (weights, X, logScale) => {
        const relaxed = relax(view, { ...block, weights }, 0);
        const step = (H: Tensor) => convolve(relaxed, H, exp(logScale), sides);
        return step(step(X));
      },
      inputs,
      80,
    );
  });

  test("of the clean graph needs no overlay, and passes its gradient to the features alone", async () => {
    const view = toDevice(backend, randomGraph(5, 0.5, 3));
    const X = randomTensor(backend, [5, 2], 1);
    const scale = affine(exp(randomTensor(backend, [5], 2)), 1, 1);
    const { grads } = valueAndGrad(() => [sum(convolve(view, X, scale, "both"))], [X]);
    const ones = tensor(backend, Array(10).fill(1), [5, 2]);
    await expectValues(grads[0], await valuesOf(convolve(view, ones, scale, "both"))); // its own transpose
  });

  test("says which argument has the wrong shape", () => {
    const view = toDevice(backend, randomGraph(3, 0.5, 3));
    const X = randomTensor(backend, [3, 2], 1);
    const scale = randomTensor(backend, [2], 2);
    expect(() => convolve(view, X, scale, "both")).toThrow("convolve: scale must have shape [3], got [2]");
  });
});
