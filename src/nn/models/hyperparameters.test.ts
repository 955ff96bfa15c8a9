import { describe, expect, test } from "vitest";
import { defaultsOf } from "../../core/options/index.ts";
import { catalogue } from "../../data/catalogue/catalogue.ts";
import { modelKinds, presets } from "../../defense/model-kinds.ts";
import { resolveHyperparameters } from "./hyperparameters.ts";
import { presetOf } from "./presets.ts";

const gcn = modelKinds["gcn"];

describe("hyperparameters", () => {
  test("are the defaults, then the preset, then what the user asked for", () => {
    const { model, training } = resolveHyperparameters("gcn", gcn, { hidden: [256], weightDecay: 0 }, { hidden: [32] });
    expect(model).toEqual({ ...defaultsOf(gcn.options), hidden: [32] });
    expect(training).toEqual({ ...defaultsOf(gcn.trainingOptions), weightDecay: 0 });
  });
  test("are read from texts as what they are described to be", () => {
    const { model, training } = resolveHyperparameters("gcn", gcn, {
      hidden: "64,32",
      dropout: "0.25",
      batchNorm: "true",
      normalisation: "row",
      maxEpochs: "7",
    });
    expect(model).toMatchObject({ hidden: [64, 32], dropout: 0.25, batchNorm: true, normalisation: "row" });
    expect(training["maxEpochs"]).toBe(7);
    expect(resolveHyperparameters("gcn", gcn, { hidden: "" }).model["hidden"]).toEqual([]);
  });
  test("that a model does not have are refused with a list of those it has", () => {
    expect(() => resolveHyperparameters("mlp", modelKinds["mlp"], { alpha: 1 })).toThrow(
      'mlp: unknown hyperparameter "alpha"; known are hidden, dropout, learningRate, weightDecay, patience, maxEpochs',
    );
  });
  test("that cannot be read are refused with the text", () => {
    const set = (key: string, text: string) => () => resolveHyperparameters("gcn", gcn, { [key]: text });
    expect(set("dropout", "half")).toThrow('gcn: dropout must be a number in [0, 1), got "half"');
    expect(set("dropout", "")).toThrow('gcn: dropout must be a number in [0, 1), got ""');
    expect(set("hidden", "64,,3")).toThrow('gcn: hidden must be whole numbers from 1, such as 64,32, got "64,,3"');
    expect(set("batchNorm", "yes")).toThrow('gcn: batchNorm must be true or false, got "yes"');
  });
  test("that make no sense are refused before a model is built", () => {
    const resolve = (set: object) => () => resolveHyperparameters("gcn", gcn, { ...set });
    expect(resolve({ hidden: [0] })).toThrow("gcn: hidden must be whole numbers from 1");
    expect(resolve({ dropout: 1 })).toThrow("gcn: dropout must be a number in [0, 1), got 1");
    expect(resolve({ learningRate: "-1" })).toThrow("gcn: learningRate must be a number from 0, got -1");
  });
  test("have names that do not overlap with those of training", () => {
    for (const { options, trainingOptions } of Object.values(modelKinds)) {
      for (const name of Object.keys(trainingOptions)) expect(Object.keys(options)).not.toContain(name);
    }
  });
  test("of one call do not reach the next", () => {
    const before = structuredClone(defaultsOf(gcn.options));
    resolveHyperparameters("gcn", gcn, { hidden: [1] });
    expect(defaultsOf(gcn.options)).toEqual(before);
  });
});

describe("presets", () => {
  test("hold only what their model has, for every known dataset", () => {
    for (const [name, kind] of Object.entries(modelKinds)) {
      for (const dataset of [...Object.keys(catalogue), "something-else"]) {
        const { values } = presetOf(presets, name, dataset);
        expect(() => resolveHyperparameters(name, kind, values)).not.toThrow();
      }
    }
  });
  test("are named after the dataset, or default where there is none", () => {
    expect(presetOf(presets, "gcn", "ogbn-arxiv")).toEqual({
      name: "ogbn-arxiv",
      values: { hidden: [256, 256], batchNorm: true, weightDecay: 0 },
    });
    expect(presetOf(presets, "gcn", "cora_ml")).toEqual({ name: "default", values: {} });
    expect(presetOf(presets, "sgc", "cora_ml").values).toMatchObject({ learningRate: 0.2 });
  });
});
