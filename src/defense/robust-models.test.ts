import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { makeBlock, randomBlock } from "../../test/support/block.ts";
import { valuesOf } from "../../test/support/dense.ts";
import { expectGradient } from "../../test/support/expect-gradient.ts";
import { randomTensor } from "../../test/support/random-tensor.ts";
import { prbcd } from "../attack/prbcd.ts";
import { createReference } from "../backend/reference/reference.ts";
import { createWasm } from "../backend/wasm/wasm.ts";
import { Rng } from "../core/rng.ts";
import { applyFlips } from "../graph/flips.ts";
import { exactDiffusion } from "../nn/diffusion/exact-diffusion.ts";
import { resolveHyperparameters } from "../nn/models/hyperparameters.ts";
import { predict } from "../nn/training/evaluate.ts";
import { train, trainDefaults } from "../nn/training/train.ts";
import { relax, relu, toDevice } from "../tensor/index.ts";
import { robustModels } from "./robust-models.ts";
import { robustPresets } from "./robust-presets.ts";
import { softMedian } from "./soft-median.ts";

const graph = randomGraph(24, 0.2, 11);
const sizes = { features: 3, classes: 3 };
/** Small enough for graphs of a few nodes. */
const small: Record<string, Record<string, unknown>> = {
  "soft-median-gdc": { hidden: [4], k: 7 },
  "soft-medoid-gdc": { hidden: [4], k: 7 },
  "svd-gcn": { rank: 5 },
};

function build(name: string, backend = createReference()) {
  const view = toDevice(backend, graph);
  const kind = robustModels[name];
  const { model: config, training } = resolveHyperparameters(name, kind, small[name] ?? {}, { maxEpochs: 3 });
  return { view, kind, training, model: kind.create(backend, sizes, config, new Rng(2)) };
}

describe.each(Object.keys(robustModels))("%s", (name) => {
  test("learns, and sees the edges of the graph it is evaluated on", async () => {
    const { view, kind, training, model } = build(name);
    const task = { train: [0, 1, 2, 3, 4, 5], val: [6, 7], rng: new Rng(3) };
    const history = await kind.train(model, view, task, training);
    expect(history.trainLoss).toHaveLength(3);
    expect(history.trainLoss.every(Number.isFinite)).toBe(true);
    const flips = { sources: Int32Array.of(0, 0, 0), targets: Int32Array.of(9, 12, 13) };
    const flipped = toDevice(view.backend, applyFlips(graph, flips));
    const before = await valuesOf(predict(model, view));
    const after = await valuesOf(predict(model, flipped));
    expect(before).toHaveLength(72);
    expect(after).not.toEqual(before);
  });

  test("is named as it is asked for and frees what a pass needs", async () => {
    const { view, model } = build(name);
    expect(model.name).toBe(name);
    const before = view.backend.memory.current;
    predict(model, view).dispose();
    expect(view.backend.memory.current).toBe(before);
  });

  test("lets gradients through to the edges, or says that it does not", () => {
    const { view, model } = build(name);
    const block = makeBlock(view.backend, graph, randomBlock(graph, 12));
    const run = () => predict(model, relax(view, block, 0)).dispose();
    if (model.differentiable.edges) expect(run).not.toThrow();
    else expect(run).toThrow(`${name} cannot be differentiated by edges; attack a surrogate`);
  });
});

describe("soft-median-gdc", () => {
  test("has the gradient by edges that finite differences predict, through both layers and PageRank", async () => {
    const view = toDevice(createReference(), graph);
    const block = makeBlock(view.backend, graph, randomBlock(graph, 12));
    const X = randomTensor(view.backend, [24, 3], 13);
    await expectGradient(
      (weights) => {
        const P = exactDiffusion(relax(view, { ...block, weights }, -1), { alpha: 0.25, k: 5 }, 1e-13);
        return softMedian(P, relu(softMedian(P, X, 0.5)), 0.5);
      },
      [block.weights],
      14,
    );
  });

  test("multiplies by weights before it takes the Soft Median, although the features are dense", async () => {
    const reference = createReference();
    const { softMedianSteps: steps } = reference;
    let medians = 0;
    const forward: typeof steps.forward = (...args) => {
      medians++;
      steps.forward(...args);
    };
    const { view, model } = build("soft-median-gdc", { ...reference, softMedianSteps: { ...steps, forward } });
    const task = { train: [0, 1, 2, 3], val: [4, 5], rng: new Rng(3) };
    await train(model, view, task, { ...trainDefaults, maxEpochs: 4 });
    expect(medians).toBe(8); // two layers in each of four epochs: none of them is kept from the first
  });

  test("is attacked by the ordinary PR-BCD, within its budget", async () => {
    const { view, model } = build("soft-median-gdc", await createWasm({ threads: 1 }));
    const nodes = Int32Array.from({ length: 24 }, (_, v) => v);
    const task = { nodes, budget: 5, rng: new Rng(4) };
    const result = await prbcd(model, view, task, { blockSize: 100, epochs: 8, fineTuneEpochs: 2 });
    expect(result.perturbation.flips.sources.length).toBeLessThanOrEqual(5);
    expect(result.accuracy.adversarial).toBeLessThanOrEqual(result.accuracy.clean);
    await view.backend.close();
  });
});

describe("robustPresets", () => {
  test("name only models and hyperparameters that exist", () => {
    for (const [name, datasets] of Object.entries(robustPresets)) {
      for (const values of Object.values(datasets)) resolveHyperparameters(name, robustModels[name], values);
    }
    expect(robustPresets["soft-median-pprgo"]["cora_ml"]["alpha"]).toBe(0.197724);
  });
});

describe("rgcn", () => {
  test("draws its noise anew in every pass, from the seed it was made with", async () => {
    const one = build("rgcn");
    const same = build("rgcn");
    const first = await valuesOf(predict(one.model, one.view));
    expect(await valuesOf(predict(one.model, one.view))).not.toEqual(first);
    expect(await valuesOf(predict(same.model, same.view))).toEqual(first);
  });
});
