import { describe, expect, test } from "vitest";
import { entryNames, randomGraph } from "../../../test/support/any-graph.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { Graph } from "../../graph/graph.ts";
import { scope, toDevice } from "../../tensor/index.ts";
import { Gcn, gcnDefaults } from "../models/gcn.ts";
import { resolveHyperparameters } from "../models/hyperparameters.ts";
import { vanillaModels } from "../models/vanilla-models.ts";
import { NoisyViews } from "./noisy-views.ts";
import { type TrainConfig, train, trainDefaults } from "./train.ts";

const backend = createReference();
const drawn = randomGraph(20, 0.2, 3, { sparse: true, numFeatures: 6 });
const words = drawn.features as Graph["adjacency"];
const graph = new Graph({ ...drawn, features: { ...words, values: null } });
const view = toDevice(backend, graph);
const nodes = Array.from({ length: 20 }, (_, node) => node);

/** The first weights after training, and the losses. */
async function trained(options: Partial<TrainConfig>) {
  const model = new Gcn(backend, { features: 6, classes: 3 }, { ...gcnDefaults, hidden: [4] }, new Rng(0));
  const task = { train: nodes.slice(0, 10), val: nodes.slice(10), rng: new Rng(1) };
  const { trainLoss } = await train(model, view, task, { ...trainDefaults, maxEpochs: 12, ...options });
  const weights = await model.parameters.get("convs.0.weight")!.read();
  model.dispose();
  return { weights: [...weights], trainLoss };
}

describe("training with noise", () => {
  test("sees another graph in every epoch, the same ones with the same random numbers", () => {
    const config = { ...trainDefaults, edgeNoiseAdd: 0.1, edgeNoiseDelete: 0.5, featureNoiseDelete: 0.5 };
    const names = (epoch: number) => {
      const noisy = NoisyViews.for(view, config, new Rng(7))!;
      return scope(() => {
        const seen = noisy.view(epoch);
        return [entryNames(seen.adjacency.host).join(" "), entryNames(seen.host!.features as typeof words).join(" ")];
      });
    };
    expect(names(0)).toEqual(names(0));
    expect(names(0)[0]).not.toBe(names(1)[0]);
    expect(names(0)[1]).not.toBe(names(1)[1]);
  });
  test("leads to other weights than training without, and to the same ones again", async () => {
    const clean = await trained({});
    const noisy = await trained({ edgeNoiseAdd: 0.1, edgeNoiseDelete: 0.4 });
    expect(noisy.weights).not.toEqual(clean.weights);
    expect(await trained({ edgeNoiseAdd: 0.1, edgeNoiseDelete: 0.4 })).toEqual(noisy);
    expect((await trained({ featureNoiseAdd: 0.2 })).weights).not.toEqual(clean.weights);
  });
  test("draws nothing where there is no noise", () => {
    const rng = new Rng(7);
    expect(NoisyViews.for(view, trainDefaults, rng)).toBeNull();
    expect(rng.state()).toEqual(new Rng(7).state());
  });
  test("is an option of models that learn from the whole graph, and refused by others", () => {
    const set = { edgeNoiseAdd: 0.1 };
    expect(resolveHyperparameters("gdc", vanillaModels["gdc"], {}, set).training).toMatchObject(set);
    expect(() => resolveHyperparameters("pprgo", vanillaModels["pprgo"], {}, set)).toThrow("edgeNoiseAdd");
    expect(() => resolveHyperparameters("gdc", vanillaModels["gdc"], {}, { edgeNoiseAdd: 1 })).toThrow("edgeNoiseAdd");
  });
});
