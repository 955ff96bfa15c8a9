import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { createReference } from "../backend/reference/reference.ts";
import { Rng } from "../core/rng.ts";
import { modelKinds } from "../defense/model-kinds.ts";
import { Gcn, gcnDefaults } from "../nn/models/gcn.ts";
import { resolveHyperparameters } from "../nn/models/hyperparameters.ts";
import { predict } from "../nn/training/evaluate.ts";
import { toDevice } from "../tensor/index.ts";
import {
  exportPyg,
  importPyg,
  loadModel,
  loadWeights,
  readSafetensors,
  readWeightsConfig,
  saveWeights,
} from "./weights-files.ts";

const backend = createReference();
const sizes = { features: 3, classes: 3 };
const file = () => join(temporaryFolder(), "new", "w.safetensors");

describe("a weights file", () => {
  test.each(Object.keys(modelKinds))("names %s and is enough to build it again", async (kind) => {
    const path = file();
    const { create, ...rest } = modelKinds[kind];
    const { model: config } = resolveHyperparameters(kind, { create, ...rest });
    const trained = create(backend, sizes, config, new Rng(4));
    await saveWeights(trained, path, { sizes, kind });
    const { model, config: saved } = loadModel(backend, path);
    expect([saved.kind, saved.name, saved.config]).toEqual([kind, trained.name, trained.config]);
    expect([model.name, model.config]).toEqual([trained.name, trained.config]);
    for (const [name, tensor] of trained.parameters) {
      expect(await model.parameters.get(name)!.read()).toEqual(await tensor.read());
    }
  });

  test("gives back what it says when it is loaded, and lies alone in its folder", async () => {
    const path = file();
    await saveWeights(new Gcn(backend, sizes, gcnDefaults, new Rng(0)), path, { sizes, dataset: "cora_ml", seed: 5 });
    const loaded = loadWeights(new Gcn(backend, sizes, gcnDefaults, new Rng(1)), path);
    expect(loaded).toEqual({ name: "gcn", kind: "gcn", config: gcnDefaults, sizes, dataset: "cora_ml", seed: 5 });
    expect(readWeightsConfig(path)).toEqual(loaded);
    expect(readdirSync(join(path, ".."))).toEqual(["w.safetensors"]);
  });

  test("goes to the layout of PyTorch Geometric and back", async () => {
    const path = file();
    const model = new Gcn(backend, sizes, gcnDefaults, new Rng(0));
    const view = toDevice(backend, randomGraph(12, 0.3, 1));
    await exportPyg(model, path);
    expect([...readSafetensors(path).tensors.keys()]).toContain("convs.0.lin.weight");
    expect(await predict(importPyg(path).build(backend), view).read()).toEqual(await predict(model, view).read());
  });

  test("that is not there is refused by name", () => {
    expect(() => readSafetensors("/nowhere/w")).toThrow("/nowhere/w: cannot be opened (ENOENT)");
  });
});
