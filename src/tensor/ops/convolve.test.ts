import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { randomBlock } from "../../../test/support/block.ts";
import { countKernels } from "../../../test/support/count-kernels.ts";
import { expectValues, valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { anyRelaxed, relaxedCase } from "../../../test/support/relaxed-case.ts";
import type { Backend } from "../../backend/backend.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { toDevice } from "../graph-view.ts";
import { IntTensor } from "../int-tensor.ts";
import { relax } from "../overlay.ts";
import { valueAndGrad } from "../tape.ts";
import { type Tensor, tensor } from "../tensor.ts";
import { convolve } from "./convolve.ts";
import { add, affine, exp, relu } from "./elementwise.ts";
import { gatherRows } from "./indexing.ts";
import { linear } from "./linear.ts";
import { matmul } from "./matmul.ts";
import { propagate } from "./propagate.ts";
import { sum } from "./reductions.ts";
import { addBias, scaleRows } from "./rows.ts";

const backend = createReference();
/** The same backend, less the kernel that goes back in one pass. */
const { convolveGrad: _, ...severalPasses } = backend;
const BACKENDS: Record<string, Backend> = { "one pass": backend, "several passes": severalPasses };

describe("convolve", () => {
  test("is scaling, summing neighbours, pairs and the node itself, scaling, bias and relu, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyRelaxed(backend), fc.nat(1e6), fc.boolean(), async ({ view, block, graph }, seed, both) => {
        const n = graph.numNodes;
        const X = randomTensor(backend, [n, 3], seed);
        const bias = randomTensor(backend, [3], seed + 1);
        const scale = exp(randomTensor(backend, [n], seed + 2));
        const relaxed = relax(view, block, 0);
        const from = both ? scaleRows(X, scale) : X;
        const expected = relu(addBias(scaleRows(add(propagate(relaxed, from), from), scale), bias));
        const Y = convolve(relaxed, X, scale, both ? "both" : "left", { bias, relu: true });
        await expectValues(Y, await valuesOf(expected));
      }),
      { numRuns: 40 },
    );
  });

  const cases = [true, false].flatMap((directed) =>
    (["both", "left"] as const).flatMap((sides) =>
      [true, false].flatMap((cut) => Object.keys(BACKENDS).map((how) => ({ directed, sides, cut, how }))),
    ),
  );
  test.each(cases)("has the gradient finite differences predict, %o", async ({ directed, sides, cut, how }) => {
    const backend = BACKENDS[how];
    const graph = randomGraph(7, 0.4, 71, { directed });
    const host = randomBlock(graph, 72);
    const weights = host.weights.map((p) => Math.max(p, 0.2)); // all active: the product is smooth around them
    const { view, block } = relaxedCase(backend, graph, { ...host, weights });
    const inputs = [block.weights, ...[[7, 3], [7], [3]].map((shape, t) => randomTensor(backend, shape, 73 + t))];
    await expectGradient(
      (weights, X, logScale, bias) => {
        const relaxed = relax(view, { ...block, weights: weights! }, 0);
        const step = (H: Tensor, relu: boolean) => convolve(relaxed, H, exp(logScale!), sides, { bias: bias!, relu });
        return step(step(X!, cut), false);
      },
      inputs,
      80,
    );
  });

  const { convolveRows: _some, ...allRows } = backend;
  const { finishGradRows: _places, ...scattering } = backend;
  test.each([
    { how: "these rows alone", backend, relu: true },
    { how: "these rows alone", backend, relu: false },
    { how: "all rows", backend: allRows as Backend, relu: true },
    { how: "rows put in their places one step after the other", backend: scattering as Backend, relu: true },
  ])("of some nodes, by $how, is their rows and has their gradient, relu: $relu", async ({ backend, relu }) => {
    const graph = randomGraph(7, 0.4, 71);
    const { view, block } = relaxedCase(backend, graph, randomBlock(graph, 72));
    const nodes = IntTensor.from(backend, [5, 0, 3, 5]);
    const relaxed = relax(view, block, 0);
    const inputs = [[7, 3], [7], [3]].map((shape, t) => randomTensor(backend, shape, 90 + t));
    const some = (X?: Tensor, logScale?: Tensor, bias?: Tensor) =>
      convolve(relaxed, X!, exp(logScale!), "both", { bias: bias!, relu }, { nodes });
    const [X, logScale, bias] = inputs;
    const all = convolve(relaxed, X!, exp(logScale!), "both", { bias: bias!, relu });
    await expectValues(some(...inputs), await valuesOf(gatherRows(all, nodes)));
    await expectGradient(some, inputs, 95);
  });

  const followers = {
    "a product": (H: Tensor, W: Tensor) => matmul(H, W),
    "a layer with relu": (H: Tensor, W: Tensor) => linear(H, W, { bias: null, relu: true }),
    "two products": (H: Tensor, W: Tensor) => add(matmul(H, W), linear(H, W, { bias: null, relu: true })),
  };
  const behind = Object.entries(followers).flatMap(([what, follow]) =>
    [true, false].map((relu) => ({ what, relu, follow })),
  );
  test.each(behind)("has the right gradient behind $what, relu: $relu", async ({ what, relu, follow }) => {
    const { backend: counted, calls } = countKernels(backend);
    const { view, block } = relaxedCase(counted, randomGraph(7, 0.4, 71), randomBlock(randomGraph(7, 0.4, 71), 72));
    const shapes = [[7, 3], [7], [3], [3, 4]];
    const inputs = shapes.map((shape, t) => randomTensor(counted, shape, 90 + t));
    const relaxed = relax(view, block, 0);
    const stack = (X?: Tensor, logScale?: Tensor, bias?: Tensor, W?: Tensor) =>
      follow(convolve(relaxed, X!, exp(logScale!), "both", { bias: bias!, relu }), W!);
    await expectGradient(stack, inputs, 95);
    const passes = [calls("productFinishGrad"), calls("finishGrad")];
    expect(passes.map((count) => count > 0)).toEqual(what === "two products" ? [false, true] : [true, false]);
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
