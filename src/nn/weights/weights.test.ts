import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { DataError } from "../../core/errors.ts";
import { Rng } from "../../core/rng.ts";
import { bytesSource } from "../../data/formats/byte-source.ts";
import { toDevice } from "../../tensor/index.ts";
import type { Model } from "../model.ts";
import { Gat, gatDefaults } from "../models/gat.ts";
import { Gcn, gcnDefaults, linearGcnDefaults } from "../models/gcn.ts";
import { Mlp, mlpDefaults } from "../models/mlp.ts";
import { Sgc, sgcDefaults } from "../models/sgc.ts";
import { predict } from "../training/evaluate.ts";
import { restoreModel } from "./restore-model.ts";
import { decodeSafetensors, encodeSafetensors, type Safetensors } from "./safetensors.ts";
import { assignWeights, decodeWeights, decodeWeightsConfig, encodeWeights } from "./weights.ts";

/** The file of which a test speaks. */
let bytes: Uint8Array;
const file = () => bytesSource(bytes, "w.safetensors");
const load = (model: Model) => assignWeights(model, decodeWeights(file()));

const backend = createReference();
const sizes = { features: 3, classes: 3 };
const view = toDevice(backend, randomGraph(12, 0.3, 1));

const normed = { ...gcnDefaults, hidden: [5, 4], batchNorm: true };
const makers: Record<string, (seed: number) => Model> = {
  gcn: (seed) => new Gcn(backend, sizes, gcnDefaults, new Rng(seed)),
  "gcn with batch norm": (seed) => new Gcn(backend, sizes, normed, new Rng(seed)),
  gat: (seed) => new Gat(backend, sizes, gatDefaults, new Rng(seed)),
  sgc: (seed) => new Sgc(backend, sizes, sgcDefaults, new Rng(seed)),
  mlp: (seed) => new Mlp(backend, sizes, mlpDefaults, new Rng(seed)),
};

/** Every parameter and statistic becomes a number of its own, so that a swap of two shows. */
function randomise(model: Model): Model {
  const rng = new Rng(99);
  for (const tensor of [...model.parameters.values(), ...model.statistics.values()]) {
    tensor.assign(Float32Array.from({ length: tensor.size }, () => 0.1 + rng.uniform()));
  }
  return model;
}

/** Writes the file again with some tensors or metadata changed. */
function rewrite(edit: (content: Safetensors) => object): void {
  const content = decodeSafetensors(file());
  bytes = encodeSafetensors({ ...content, ...edit(content) });
}

describe("saved weights", () => {
  test.each(Object.keys(makers))("give a fresh %s the same logits", async (name) => {
    const trained = randomise(makers[name](0));
    bytes = await encodeWeights(trained, { sizes });
    const fresh = makers[name](1);
    load(fresh);
    expect(await predict(fresh, view).read()).toEqual(await predict(trained, view).read());
  });

  test("tell what model they belong to", async () => {
    bytes = await encodeWeights(makers["gcn with batch norm"](0), { sizes, dataset: "cora_ml", seed: 5, epochs: 17 });
    expect(decodeWeightsConfig(file())).toEqual({
      name: "gcn",
      kind: "gcn",
      config: normed,
      sizes,
      dataset: "cora_ml",
      seed: 5,
      epochs: 17,
    });
  });

  test("say by what name to ask for a model like theirs, where that is not its own", async () => {
    const linear = new Gcn(backend, sizes, linearGcnDefaults, new Rng(0));
    bytes = await encodeWeights(linear, { sizes, kind: "linear-gcn" });
    expect(decodeWeightsConfig(file())).toMatchObject({ name: "gcn", kind: "linear-gcn" });
  });

  test("are enough to build the model again", async () => {
    const trained = randomise(makers["gcn with batch norm"](0));
    bytes = await encodeWeights(trained, { sizes });
    const restored = restoreModel(backend, decodeWeights(file()));
    expect([restored.name, restored.config]).toEqual(["gcn", normed]);
    expect(await predict(restored, view).read()).toEqual(await predict(trained, view).read());
  });

  test("of a model that is not known are refused with the known names", async () => {
    bytes = await encodeWeights(makers["gcn"](0), { sizes, kind: "gnc" });
    const before = backend.memory.current;
    expect(() => restoreModel(backend, decodeWeights(file()))).toThrow('unknown model "gnc"; known are gcn, ');
    expect(backend.memory.current).toBe(before);
  });

  test("are refused by a model of another kind", async () => {
    bytes = await encodeWeights(makers["gcn"](0), { sizes });
    expect(() => load(makers["gat"](0))).toThrow("holds weights of gcn, but the model is gat");
  });

  test("that do not fit are refused with everything that is missing, unexpected or of another shape", async () => {
    bytes = await encodeWeights(makers["gcn"](0), { sizes });
    expect(() => load(makers["gcn with batch norm"](0))).toThrow(
      "w.safetensors: does not fit gcn: missing convs.2.weight, convs.2.bias, norms.0.weight, norms.0.bias, norms.1.weight, " +
        "norms.1.bias, norms.0.running_mean, norms.0.running_var, norms.1.running_mean, norms.1.running_var; " +
        "convs.0.weight is [3, 64], must be [3, 5]; convs.0.bias is [64], must be [5]; " +
        "convs.1.weight is [64, 3], must be [5, 4]; convs.1.bias is [3], must be [4]",
    );
    rewrite(({ tensors }) => ({ tensors: new Map([...tensors, ["extra", tensors.get("convs.0.bias")!]]) }));
    expect(() => load(makers["gcn"](0))).toThrow("does not fit gcn: unexpected extra");
  });

  test("that are not finite are refused, and the model keeps its own", async () => {
    bytes = await encodeWeights(makers["sgc"](0), { sizes });
    const bias = { dtype: "F32", shape: [3], data: Float32Array.of(0, Number.NaN, 0) };
    rewrite(({ tensors }) => ({ tensors: new Map([...tensors, ["bias", bias]]) }));
    const model = makers["sgc"](1);
    const before = await model.parameters.get("weight")!.read();
    expect(() => load(model)).toThrow('tensor "bias": value NaN at position 1 must be finite');
    expect(await model.parameters.get("weight")!.read()).toEqual(before);
  });

  test.each([
    ["no metadata of ours", {}, 'metadata has no "rgnn"'],
    ["metadata that is not JSON", { rgnn: "{" }, "is not JSON"],
    [
      "a kind that is no name",
      { rgnn: '{"name":"gcn","kind":7,"config":{},"sizes":{"features":1,"classes":2}}' },
      "must hold name",
    ],
    ["metadata that is null", { rgnn: "null" }, "must hold name, config and sizes"],
    ["sizes of zero", { rgnn: '{"name":"gcn","config":{},"sizes":{"features":0,"classes":2}}' }, "must hold name"],
  ])("with %s are refused", async (_, metadata, message) => {
    bytes = await encodeWeights(makers["sgc"](0), { sizes });
    rewrite(() => ({ metadata }));
    expect(() => decodeWeightsConfig(file())).toThrow(DataError);
    expect(() => load(makers["sgc"](0))).toThrow(message);
  });
});
