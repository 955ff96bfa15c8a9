import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../../test/support/any-graph.ts";
import { testGpu } from "../../../../test/support/test-gpu.ts";
import type { Backend } from "../../../backend/backend.ts";
import { createReference } from "../../../backend/reference/reference.ts";
import { createWasm } from "../../../backend/wasm/wasm.ts";
import { createWebGpu } from "../../../backend/webgpu/webgpu.ts";
import { Rng } from "../../../core/rng.ts";
import { toDevice } from "../../../tensor/index.ts";
import { Gcn, type GcnConfig, gcnDefaults } from "../../models/gcn.ts";
import { createGdc, gdcDefaults } from "../../models/gdc.ts";
import { type TrainConfig, type TrainTask, train, trainDefaults, type Watch } from "../train.ts";
import { trainSideBySide } from "./train-side-by-side.ts";

const NODES = 41;
const MODELS = 5;
const SIZES = { features: 6, classes: 3 };

interface Choice {
  readonly config?: Partial<GcnConfig>;
  readonly training?: Partial<TrainConfig>;
  readonly sparse?: boolean;
}

/** GCNs with weights of their own and, for each, nodes of its own: not even the numbers of nodes are the same. */
function trainings(backend: Backend, { config = {}, training = {}, sparse = true }: Choice = {}) {
  const view = toDevice(backend, randomGraph(NODES, 0.1, 9, { sparse, numFeatures: SIZES.features }));
  const options = { ...gcnDefaults, hidden: [8], ...config };
  const models = Array.from({ length: MODELS }, (_, g) => new Gcn(backend, SIZES, options, new Rng(g)));
  const tasks = models.map((_, g): TrainTask => {
    const order = new Rng(100 + g).shuffle(Int32Array.from({ length: NODES }, (_, i) => i));
    return { train: order.slice(0, 10 + g), val: order.slice(20, 33 - g), rng: new Rng(g, 2) };
  });
  const learning = { ...trainDefaults, maxEpochs: 40, learningRate: 0.05, ...training };
  return {
    view,
    models,
    tasks,
    together: (watch: Watch = {}) => trainSideBySide(models, view, tasks, learning, watch),
    async oneByOne() {
      const histories = [];
      for (const [g, model] of models.entries()) histories.push(await train(model, view, tasks[g], learning));
      return histories;
    },
  };
}

async function weightsOf(models: readonly Gcn[]): Promise<number[][]> {
  const all: number[][] = [];
  for (const { parameters } of models) {
    const values: number[] = [];
    for (const tensor of parameters.values()) values.push(...(await tensor.read()));
    all.push(values);
  }
  return all;
}

function expectClose(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(actual.length).toBe(expected.length);
  const difference = Math.max(...actual.map((value, e) => Math.abs(value - expected[e])));
  expect(difference).toBeLessThanOrEqual(tolerance);
}

/** Side by side, models come to the weights, losses and best epochs that they come to one by one. */
async function expectSame(backend: () => Promise<Backend> | Backend, choice: Choice, tolerance: number) {
  const side = await backend();
  const alone = await backend();
  const [here, there] = [trainings(side, choice), trainings(alone, choice)];
  const histories = await here.together();
  const expected = await there.oneByOne();
  for (const [g, { trainLoss, valLoss, ...rest }] of histories.entries()) {
    const { trainLoss: otherTrainLoss, valLoss: otherValLoss, ...others } = expected[g];
    expectClose(trainLoss, otherTrainLoss, tolerance);
    expectClose(valLoss, otherValLoss, tolerance);
    expect(rest).toEqual(others);
  }
  const weights = await weightsOf(here.models);
  for (const [g, values] of (await weightsOf(there.models)).entries()) expectClose(weights[g], values, tolerance);
  await side.close();
  await alone.close();
  return histories;
}

const found = testGpu();
const onGpu = "reason" in found ? test.skip : test;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

describe("models trained side by side", () => {
  test("are the models that they become one by one, with dropout, each on its own nodes", async () => {
    const histories = await expectSame(createReference, {}, 1e-6);
    expect(new Set(histories.map(({ trainLoss }) => trainLoss[0])).size).toBe(MODELS); // they do differ
  });
  test.each<[string, Choice]>([
    ["without dropout", { config: { dropout: 0 } }],
    ["without activation", { config: { activation: "identity", dropout: 0.3 } }],
    ["without biases, with dense features", { config: { bias: false }, sparse: false }],
    ["with three layers, normalised by row", { config: { hidden: [8, 5], normalisation: "row" } }],
    ["with one layer", { config: { hidden: [] } }],
  ])("are so %s", async (_, choice) => {
    await expectSame(createReference, choice, 1e-6);
  });
  test("are so in 32 bits on the CPU", async () => {
    await expectSame(() => createWasm({ threads: 2 }), {}, 1e-3);
  });
  onGpu(`are so on a GPU${why}`, async () => {
    await expectSame(() => createWebGpu(), { training: { maxEpochs: 20 } }, 1e-3);
  });
  onGpu(`are so on a GPU when most have stopped and the others go on without them${why}`, async () => {
    const stopEarly = { patience: 3, learningRate: 0.3, maxEpochs: 60 };
    const histories = await expectSame(() => createWebGpu(), { training: stopEarly }, 1e-2);
    expect(new Set(histories.map(({ trainLoss }) => trainLoss.length)).size).toBeGreaterThan(2);
  });

  test("stop when each alone would, and keep their best weights while others go on", async () => {
    const histories = await expectSame(
      createReference,
      { training: { patience: 4, learningRate: 0.3, maxEpochs: 200 } },
      1e-6,
    );
    const epochs = histories.map(({ trainLoss }) => trainLoss.length);
    expect(new Set(epochs).size).toBeGreaterThan(2);
    expect(Math.max(...epochs)).toBeLessThan(200);
  });
  test("keep their best weights so far when they are ended early, and say so", async () => {
    const controller = new AbortController();
    const { models, together } = trainings(createReference(), { training: { patience: 500 } });
    const update = (epoch: number) => void (epoch === 6 && controller.abort());
    const ended = await together({ progress: { update }, signal: controller.signal });
    expect(ended.map(({ interrupted, trainLoss }) => [interrupted, trainLoss.length])).toEqual(
      models.map(() => [true, 7]),
    );
    const short = trainings(createReference(), { training: { maxEpochs: 7 } });
    await short.oneByOne();
    const expected = await weightsOf(short.models);
    for (const [g, values] of (await weightsOf(models)).entries()) expectClose(values, expected[g], 1e-6);
  });
  test("are left as they were by no epochs at all", async () => {
    const { models, together } = trainings(createReference(), { training: { maxEpochs: 0 } });
    const before = await weightsOf(models);
    await together();
    expect(await weightsOf(models)).toEqual(before);
  });
  test("give their memory back, also when one of them fails", async () => {
    const backend = createReference();
    const { view, models, tasks, together } = trainings(backend, { training: { maxEpochs: 3 } });
    view.adjacency.transposed; // made once and kept with the graph
    (view.features as typeof view.adjacency).transposed;
    const before = backend.memory.current;
    await together();
    await trainSideBySide(models, view, tasks, { ...trainDefaults, patience: 2, learningRate: 0.3 }); // narrows on the way
    expect(backend.memory.current).toBe(before);
    models[3].parameters.get("convs.1.bias")!.assign(Float64Array.of(1, Number.NaN, 1));
    await expect(together()).rejects.toThrow(
      "training side by side: loss of model 3 is NaN in epoch 0; lower the learning rate, as with --set learningRate=0.005",
    );
    expect(backend.memory.current).toBe(before);
  });
});

describe("what cannot be trained side by side", () => {
  const backend = createReference();
  const { view, tasks } = trainings(backend);
  const gcn = (config: Partial<GcnConfig> = {}, sizes = SIZES) =>
    new Gcn(backend, sizes, { ...gcnDefaults, hidden: [8], ...config }, new Rng(0));
  const run = (models: readonly Gcn[], training: Partial<TrainConfig> = {}) =>
    trainSideBySide(models, view, tasks.slice(0, 2), { ...trainDefaults, ...training });

  test("is refused in words: other models, batch norm, other widths, noise, a model twice", async () => {
    const gdc = createGdc(backend, SIZES, gdcDefaults, new Rng(0)) as Gcn;
    await expect(run([gcn(), gdc])).rejects.toThrow(
      "training side by side: model 1 is a gdc, not a gcn; train such models one by one",
    );
    await expect(run([gcn({ batchNorm: true }), gcn()])).rejects.toThrow("model 0 has batch norm");
    await expect(run([gcn(), gcn({ hidden: [8, 4] })])).rejects.toThrow("model 1 has hidden 8,4, model 0 has 8");
    await expect(run([gcn(), gcn({ dropout: 0.1 })])).rejects.toThrow("model 1 has dropout 0.1, model 0 has 0.5");
    await expect(run([gcn(), gcn({}, { features: 5, classes: 3 })])).rejects.toThrow(
      "convs.0.weight of model 1 has shape [5, 8], of model 0 [6, 8]",
    );
    await expect(run([gcn(), gcn()], { edgeNoiseAdd: 0.1 })).rejects.toThrow("with edgeNoiseAdd each model sees");
    await expect(run([gcn()])).rejects.toThrow("1 models for 2 tasks");
    const twice = gcn();
    await expect(run([twice, twice])).rejects.toThrow("a model is there twice");
  });
});
