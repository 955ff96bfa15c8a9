import { existsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Backend } from "../backend/backend.ts";
import { createWasm } from "../backend/wasm/wasm.ts";
import { Rng } from "../core/rng.ts";
import { Pprgo, pprgoDefaults } from "../nn/models/pprgo.ts";
import type { History } from "../nn/training/train.ts";
import { pprgoTrainDefaults } from "../nn/training/train-on-rows.ts";
import { trainPprgo } from "../nn/training/train-pprgo.ts";
import type { TrainingState } from "../nn/training/training-state.ts";
import { encodeWeights } from "../nn/weights/weights.ts";
import { toDevice } from "../tensor/index.ts";
import { CheckpointFile } from "./checkpoint-file.ts";

/** Ends a run as a kill would, after a checkpoint was saved. */
class Killed extends CheckpointFile {
  private left: number;

  constructor(path: string, after: number) {
    super(path, 0);
    this.left = after;
  }

  override async save(state: TrainingState): Promise<void> {
    await super.save(state);
    if (--this.left === 0) throw new Error("killed");
  }
}

describe("a checkpoint file", () => {
  const graph = randomGraph(60, 0.1, 5, { numFeatures: 6 });
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  let backend: Backend;
  beforeAll(async () => {
    backend = await createWasm({ threads: 1 });
  });
  afterAll(() => backend.close());

  async function run(checkpoints?: CheckpointFile, patience = 300): Promise<{ bytes: Uint8Array; history: History }> {
    const options = { ...pprgoDefaults, hidden: [8], k: 6, batchNorm: true, dropout: 0.5 };
    const model = new Pprgo(backend, sizes, options, new Rng(1));
    const view = toDevice(backend, graph);
    const task = { train: [...Array(25).keys()], val: [...Array(20).keys()].map((v) => v + 25), rng: new Rng(6) };
    const config = { ...pprgoTrainDefaults, learningRate: 0.1, batchSize: 10, valBatches: 1, maxEpochs: 14, patience };
    try {
      const history = await trainPprgo(model, view, task, config, checkpoints ? { checkpoints } : {});
      return { bytes: await encodeWeights(model, { sizes }), history };
    } finally {
      model.dispose();
      view.dispose();
    }
  }

  test.each([300, 2])("lets a run that was killed twice end with the same bytes, patience %d", async (patience) => {
    const path = join(temporaryFolder(), "training.safetensors");
    const undisturbed = await run(undefined, patience);
    if (patience === 2) expect(undisturbed.history.trainLoss.length).toBeLessThan(14);
    const memory = backend.memory.current;
    await expect(run(new Killed(path, 2), patience)).rejects.toThrow("killed");
    await expect(run(new Killed(path, 1), patience)).rejects.toThrow("killed");
    expect(backend.memory.current).toBe(memory);
    const saved = new CheckpointFile(path).load();
    expect(saved?.trainLoss).toEqual(undisturbed.history.trainLoss.slice(0, 3));
    expect(await run(new CheckpointFile(path), patience)).toEqual(undisturbed);
  });

  test("changes nothing in a run that is left alone, and can be removed", async () => {
    const path = join(temporaryFolder(), "training.safetensors");
    const checkpoints = new CheckpointFile(path, 0);
    expect(await run(checkpoints)).toEqual(await run());
    checkpoints.remove();
    expect(existsSync(path)).toBe(false);
  });

  test("is refused in one line if it is cut off, of another kind or of another model", async () => {
    const path = join(temporaryFolder(), "training.safetensors");
    await expect(run(new Killed(path, 1))).rejects.toThrow("killed");
    const saved = new CheckpointFile(path).load()!;
    const other = new CheckpointFile(join(temporaryFolder(), "other.safetensors"), 0);
    await other.save({ ...saved, tensors: new Map([...saved.tensors].slice(1)) });
    await expect(run(other)).rejects.toThrow(/is missing or has another shape; remove the file to start anew/);
    truncateSync(path, 300);
    await expect(run(new CheckpointFile(path))).rejects.toThrow(path);
    const { bytes } = await run();
    writeFileSync(path, bytes);
    await expect(run(new CheckpointFile(path))).rejects.toThrow("is no checkpoint of a training; remove it");
  });
});
