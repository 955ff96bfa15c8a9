import { describe, expect, test } from "vitest";
import { attackCase } from "../../../test/support/attack-case.ts";
import { expectValues } from "../../../test/support/dense.ts";
import type { Backend } from "../../backend/backend.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { createWasm } from "../../backend/wasm/wasm.ts";
import { Rng } from "../../core/rng.ts";
import { Constants, scope, valueAndGrad } from "../../tensor/index.ts";
import type { Model } from "../model.ts";
import { Gcn, type GcnConfig, gcnDefaults } from "../models/gcn.ts";
import { Adam } from "./adam.ts";
import { crossEntropy } from "./cross-entropy.ts";
import { evaluate } from "./evaluate.ts";
import { nodeSet } from "./node-set.ts";
import { type Epoch, runEpochs, type TrainConfig, train, trainDefaults } from "./train.ts";

const trainNodes = Array.from({ length: 16 }, (_, i) => i);
const valNodes = Array.from({ length: 12 }, (_, i) => 16 + i);

/** A graph whose classes a GCN can learn, and an untrained GCN for it. */
async function learnable(backend: Backend, config: Partial<GcnConfig> = {}) {
  const { graph, view } = await attackCase(backend, 27, { numNodes: 40, density: 0.1 });
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const model = new Gcn(backend, sizes, { ...gcnDefaults, hidden: [8], ...config }, new Rng(5));
  const learn = (training: Partial<TrainConfig> = {}, watch = {}) =>
    train(model, view, { train: trainNodes, val: valNodes, rng: new Rng(6) }, { ...trainDefaults, ...training }, watch);
  return { graph, view, model, learn };
}

async function parametersOf(model: Model): Promise<number[]> {
  const all: number[] = [];
  for (const tensor of [...model.parameters.values(), ...model.statistics.values()]) all.push(...(await tensor.read()));
  return all;
}

describe("training", () => {
  test("lowers the loss and leaves a model that is right about what it learned from", async () => {
    const { view, model, learn } = await learnable(createReference());
    const before = await evaluate(model, view, trainNodes);
    const { trainLoss, valLoss, interrupted } = await learn({ maxEpochs: 120, learningRate: 0.05 });
    expect(trainLoss.length).toBe(valLoss.length);
    expect(trainLoss.at(-1)).toBeLessThan(0.7 * trainLoss[0]);
    expect(await evaluate(model, view, trainNodes)).toBeGreaterThan(Math.max(0.8, before));
    expect(interrupted).toBe(false);
  });

  test("takes epochs that wait for something, such as an attack on the model as it is now", async () => {
    const { view, model } = await learnable(createReference(), { dropout: 0 });
    const parameters = [...model.parameters.values()];
    const set = nodeSet(view, trainNodes);
    const seen: number[] = [];
    const epoch: Epoch = async (update) => {
      seen.push(await evaluate(model, view, trainNodes));
      return scope(() => {
        const loss = () =>
          crossEntropy(model.forward(view, { constants: new Constants(), dropout: null }), set.nodes, set.labels);
        const { value, grads } = valueAndGrad(() => [loss()], parameters);
        update(grads);
        return { trainLoss: value, valLoss: loss() };
      });
    };
    const { trainLoss } = await runEpochs(model, epoch, { ...trainDefaults, learningRate: 0.05, maxEpochs: 60 });
    expect(trainLoss.at(-1)).toBeLessThan(0.7 * trainLoss[0]);
    expect(seen.at(-1)).toBeGreaterThan(seen[0]);
  });

  test("keeps the weights after the step of the epoch with the lowest validation loss", async () => {
    const { model, learn } = await learnable(createReference(), { dropout: 0 });
    const literal = await learnable(createReference(), { dropout: 0 }); // the same weights to start with
    const config = { learningRate: 0.2, weightDecay: 1e-3 };
    const { valLoss, bestEpoch } = await learn({ ...config, maxEpochs: 60 });
    expect(bestEpoch).toBe(valLoss.indexOf(Math.min(...valLoss)));
    expect(bestEpoch).toBeLessThan(59); // it would be no test otherwise

    const parameters = [...literal.model.parameters.values()];
    const adam = new Adam(parameters, config);
    const set = nodeSet(literal.view, trainNodes);
    for (let t = 0; t <= bestEpoch; t++) {
      scope(() => {
        const { grads } = valueAndGrad(() => {
          const logits = literal.model.forward(literal.view, { constants: new Constants(), dropout: null });
          return [crossEntropy(logits, set.nodes, set.labels)];
        }, parameters);
        adam.update(grads);
      });
    }
    for (const [name, tensor] of literal.model.parameters) {
      await expectValues(tensor, [...(await model.parameters.get(name)!.read())], 1e-6);
    }
  });

  test("stops when patience epochs have brought nothing better", async () => {
    const { learn } = await learnable(createReference());
    const { valLoss, bestEpoch } = await learn({ patience: 5, learningRate: 0.3, maxEpochs: 500 });
    expect(valLoss.length).toBeLessThan(500);
    expect(valLoss.length - 1).toBe(bestEpoch + 5);
  });

  test("takes validation loss from the same pass as the training loss, with dropout", async () => {
    const { learn } = await learnable(createReference(), { dropout: 0.5 });
    const { valLoss } = await learn({ learningRate: 0, weightDecay: 0, maxEpochs: 4 }); // nothing is learned
    expect(new Set(valLoss).size).toBe(4); // so only dropout can make epochs differ
  });

  test("keeps the best weights so far when it is ended early, and says so", async () => {
    const controller = new AbortController();
    let updates = 0;
    const progress = { update: () => void (++updates === 5 && controller.abort()) };
    const { model, learn } = await learnable(createReference());
    const ended = await learn({ maxEpochs: 100 }, { progress, signal: controller.signal });
    expect(ended.interrupted).toBe(true);
    expect(ended.trainLoss.length).toBe(5);
    const short = await learnable(createReference());
    await short.learn({ maxEpochs: 5 });
    expect(await parametersOf(model)).toEqual(await parametersOf(short.model));
  });

  test("gives the same weights for the same seed and any number of threads", async () => {
    const results: number[][] = [];
    for (const threads of [1, 2, 3]) {
      const backend = await createWasm({ threads });
      const { model, learn } = await learnable(backend, { hidden: [16], batchNorm: true });
      await learn({ maxEpochs: 20 });
      results.push(await parametersOf(model));
      await backend.close();
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  test("says what to do when the loss is not a number any more", async () => {
    const { model, learn } = await learnable(createReference());
    model.parameters.get("convs.0.weight")!.assign(new Float64Array(24).fill(Number.NaN));
    await expect(learn()).rejects.toThrow(
      /^training: loss is NaN in epoch 0; lower the learning rate, as with --set learningRate=0\.001$/,
    );
  });

  test("gives its memory back, also when it fails", async () => {
    const backend = createReference();
    const { view, model, learn } = await learnable(backend);
    view.adjacency.transposed; // made once and kept with the graph
    const before = backend.memory.current;
    await learn({ maxEpochs: 3 });
    model.parameters.get("convs.0.weight")!.assign(new Float64Array(24).fill(Number.NaN));
    await learn().catch(() => {});
    expect(backend.memory.current).toBe(before);
  });

  test("refuses numbers that mean nothing", async () => {
    const { learn } = await learnable(createReference());
    await expect(learn({ maxEpochs: 1.5 })).rejects.toThrow(
      "training: maxEpochs must be a whole number from 0, got 1.5",
    );
    await expect(learn({ patience: -1 })).rejects.toThrow("training: patience must be a whole number from 0, got -1");
    await expect(learn({ learningRate: -0.1 })).rejects.toThrow(
      "training: learningRate must be a number from 0, got -0.1",
    );
  });

  test("refuses nodes without a label", async () => {
    const { view, graph, model } = await learnable(createReference());
    graph.labels[3] = -1;
    const run = train(model, view, { train: [3], val: [4], rng: new Rng(0) }, trainDefaults);
    await expect(run).rejects.toThrow("node 3 has no label; choose labelled nodes");
  });
});

describe("evaluate", () => {
  test("is the share of the nodes that get their own class", async () => {
    const backend = createReference();
    const { graph, view, model } = await attackCase(backend, 27, { numNodes: 20 });
    expect(await evaluate(model, view, [0, 5, 19])).toBe(1);
    graph.labels[5] = (graph.labels[5] + 1) % 3;
    const before = backend.memory.current;
    expect(await evaluate(model, view, [0, 5, 19, 2])).toBe(0.75);
    expect(backend.memory.current).toBe(before);
  });
});
