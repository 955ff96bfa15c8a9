import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { DataError } from "../../core/errors.ts";
import { Rng } from "../../core/rng.ts";
import { toDevice } from "../../tensor/index.ts";
import type { Model } from "../model.ts";
import { Gat, gatDefaults } from "../models/gat.ts";
import { Gcn, gcnDefaults } from "../models/gcn.ts";
import { Mlp, mlpDefaults } from "../models/mlp.ts";
import { Sgc, sgcDefaults } from "../models/sgc.ts";
import { predict } from "../training/evaluate.ts";
import { readSafetensors, writeSafetensors } from "./safetensors.ts";
import { loadWeights, readWeightsConfig, saveWeights } from "./weights.ts";

const folder = mkdtempSync(join(tmpdir(), "rgnn-weights-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "w.safetensors");

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
async function rewrite(edit: (content: ReturnType<typeof readSafetensors>) => object): Promise<void> {
  const content = readSafetensors(file);
  await writeSafetensors(file, { ...content, ...edit(content) });
}

describe("saved weights", () => {
  test.each(Object.keys(makers))("give a fresh %s the same logits", async (name) => {
    const trained = randomise(makers[name](0));
    await saveWeights(trained, file, { sizes });
    const fresh = makers[name](1);
    loadWeights(fresh, file);
    expect(await predict(fresh, view).read()).toEqual(await predict(trained, view).read());
  });

  test("tell what model they belong to", async () => {
    await saveWeights(makers["gcn with batch norm"](0), file, { sizes, dataset: "cora_ml", seed: 5, epochs: 17 });
    expect(readWeightsConfig(file)).toEqual({
      ...{ name: "gcn", config: normed, sizes, dataset: "cora_ml", seed: 5, epochs: 17 },
    });
  });

  test("are refused by a model of another kind", async () => {
    await saveWeights(makers["gcn"](0), file, { sizes });
    expect(() => loadWeights(makers["gat"](0), file)).toThrow("holds weights of gcn, but the model is gat");
  });

  test("that do not fit are refused with everything that is missing, unexpected or of another shape", async () => {
    await saveWeights(makers["gcn"](0), file, { sizes });
    expect(() => loadWeights(makers["gcn with batch norm"](0), file)).toThrow(
      `${file}: does not fit gcn: missing convs.2.weight, convs.2.bias, norms.0.weight, norms.0.bias, norms.1.weight, ` +
        "norms.1.bias, norms.0.running_mean, norms.0.running_var, norms.1.running_mean, norms.1.running_var; " +
        "convs.0.weight is [3, 64], must be [3, 5]; convs.0.bias is [64], must be [5]; " +
        "convs.1.weight is [64, 3], must be [5, 4]; convs.1.bias is [3], must be [4]",
    );
    await rewrite(({ tensors }) => ({ tensors: new Map([...tensors, ["extra", tensors.get("convs.0.bias")!]]) }));
    expect(() => loadWeights(makers["gcn"](0), file)).toThrow("does not fit gcn: unexpected extra");
  });

  test("that are not finite are refused, and the model keeps its own", async () => {
    await saveWeights(makers["sgc"](0), file, { sizes });
    const bias = { dtype: "F32", shape: [3], data: Float32Array.of(0, Number.NaN, 0) };
    await rewrite(({ tensors }) => ({ tensors: new Map([...tensors, ["bias", bias]]) }));
    const model = makers["sgc"](1);
    const before = await model.parameters.get("weight")!.read();
    expect(() => loadWeights(model, file)).toThrow('tensor "bias": value NaN at position 1 must be finite');
    expect(await model.parameters.get("weight")!.read()).toEqual(before);
  });

  test.each([
    ["no metadata of ours", {}, 'metadata has no "rgnn"'],
    ["metadata that is not JSON", { rgnn: "{" }, "is not JSON"],
    ["metadata that is null", { rgnn: "null" }, "must hold name, config and sizes"],
    ["sizes of zero", { rgnn: '{"name":"gcn","config":{},"sizes":{"features":0,"classes":2}}' }, "must hold name"],
  ])("with %s are refused", async (_, metadata, message) => {
    await saveWeights(makers["sgc"](0), file, { sizes });
    await rewrite(() => ({ metadata }));
    expect(() => readWeightsConfig(file)).toThrow(DataError);
    expect(() => loadWeights(makers["sgc"](0), file)).toThrow(message);
  });
});
