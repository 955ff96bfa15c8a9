import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { makeBlock, randomBlock } from "../../../test/support/block.ts";
import { countKernels } from "../../../test/support/count-kernels.ts";
import { valuesOf } from "../../../test/support/dense.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { applyFlips } from "../../graph/flips.ts";
import { Constants, type GraphView, relax, sum, toDevice, valueAndGrad } from "../../tensor/index.ts";
import { predict } from "../training/evaluate.ts";
import { train, trainDefaults } from "../training/train.ts";
import { createGdc, type GdcConfig, gdcDefaults } from "./gdc.ts";

const config: GdcConfig = { ...gdcDefaults, hidden: [4], k: 7 };
const graph = randomGraph(20, 0.2, 1);
const make = (view: GraphView, changes: Partial<GdcConfig> = {}) =>
  createGdc(view.backend, { features: 3, classes: 3 }, { ...config, ...changes }, new Rng(2));

describe("gdc", () => {
  test("gives nearly the same logits by push as exactly", async () => {
    const view = toDevice(createReference(), graph);
    const exact = await valuesOf(predict(make(view, { k: 20 }), view));
    const pushed = await valuesOf(predict(make(view, { k: 20, method: "push", epsilon: 1e-6 }), view));
    for (const [e, x] of exact.entries()) expect(pushed[e]).toBeCloseTo(x, 3);
  });

  test("computes its matrix once per training run", async () => {
    const { backend, calls } = countKernels(createReference());
    const view = toDevice(backend, graph);
    const task = { train: [0, 1, 2, 3], val: [4, 5], rng: new Rng(3) };
    await train(make(view), view, task, { ...trainDefaults, maxEpochs: 4 });
    expect(calls("topKRows")).toBe(1);
  });

  test("sees the edges of the graph it is evaluated on", async () => {
    const view = toDevice(createReference(), graph);
    const flips = { sources: Int32Array.of(0, 3), targets: Int32Array.of(9, 12) };
    const model = make(view);
    const flipped = toDevice(view.backend, applyFlips(graph, flips));
    const block = makeBlock(view.backend, graph, { sources: [0, 3], targets: [9, 12], weights: [1, 1] });
    const onFlipped = await valuesOf(predict(model, flipped));
    const onRelaxed = await valuesOf(predict(model, relax(view, block, 0)));
    const onClean = await valuesOf(predict(model, view));
    for (const [e, x] of onFlipped.entries()) expect(onRelaxed[e]).toBeCloseTo(x, 6);
    expect(onFlipped).not.toEqual(onClean);
  });

  test("frees all it made in a pass with gradients", () => {
    const view = toDevice(createReference(), graph);
    const model = make(view);
    const block = makeBlock(view.backend, graph, randomBlock(graph, 4));
    const before = view.backend.memory.current;
    const loss = () =>
      [sum(model.forward(relax(view, block, 0), { constants: new Constants(), dropout: null }))] as const;
    const { value, grads } = valueAndGrad(loss, [block.weights]);
    value.dispose();
    grads[0].dispose();
    expect(view.backend.memory.current).toBe(before);
  });

  test("says what it was built with", () => {
    const view = toDevice(createReference(), graph);
    expect(make(view)).toMatchObject({ name: "gdc", config, differentiable: { edges: true } });
    expect(make(view).config).not.toHaveProperty("normalisation");
  });

  test("has by push nearly the gradient that it has exactly", async () => {
    const view = toDevice(createReference(), graph);
    const block = makeBlock(view.backend, graph, randomBlock(graph, 4));
    const gradient = async (changes: Partial<GdcConfig>) => {
      const model = make(view, { k: 20, ...changes });
      expect(model.differentiable.edges).toBe(true);
      const loss = () =>
        [sum(model.forward(relax(view, block, 0), { constants: new Constants(), dropout: null }))] as const;
      return valuesOf(valueAndGrad(loss, [block.weights]).grads[0]);
    };
    const exact = await gradient({});
    const pushed = await gradient({ method: "push", epsilon: 1e-8 });
    for (const [e, x] of exact.entries()) expect(pushed[e]).toBeCloseTo(x, 4);
  });
});
