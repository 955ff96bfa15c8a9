import { describe, expect } from "vitest";
import { realData } from "../../../test/support/real-data.ts";
import { createWasm } from "../../backend/wasm/wasm.ts";
import { defaultsOf } from "../../core/options/index.ts";
import { Rng } from "../../core/rng.ts";
import { randomSplit } from "../../data/splits.ts";
import { loadGraph } from "../../files/load.ts";
import { toDevice } from "../../tensor/index.ts";
import { evaluate } from "../training/evaluate.ts";
import { vanillaModels } from "./vanilla-models.ts";

/** Test accuracy on Cora ML, seed 0, after a fraction of the published number of epochs. */
async function accuracyOn(name: string, changes: Record<string, unknown>): Promise<number> {
  const backend = await createWasm({ threads: 2 });
  const { graph } = await loadGraph("cora_ml");
  const { train, val, test } = randomSplit(graph.labels, graph.numClasses, 0);
  const kind = vanillaModels[name];
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const view = toDevice(backend, graph);
  const model = kind.create(backend, sizes, { ...defaultsOf(kind.options), ...changes }, new Rng(0));
  await kind.train(
    model,
    view,
    { train, val, rng: new Rng(0, 1) },
    { ...defaultsOf(kind.trainingOptions), maxEpochs: 200, patience: 100 },
  );
  const share = await evaluate(model, view, test);
  await backend.close();
  return share;
}

describe("models over PageRank", () => {
  realData("cora_ml")("gdc comes near its published accuracy on Cora ML", async () => {
    expect(await accuracyOn("gdc", {})).toBeGreaterThan(0.815);
  });
  realData("cora_ml")("gdc with push comes near it too", async () => {
    expect(await accuracyOn("gdc", { method: "push" })).toBeGreaterThan(0.815);
  });
  realData("cora_ml")("pprgo comes near its published accuracy on Cora ML", async () => {
    expect(await accuracyOn("pprgo", { alpha: 0.098678 })).toBeGreaterThan(0.79);
  });
});
