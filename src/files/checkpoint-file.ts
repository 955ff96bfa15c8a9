import { existsSync, rmSync } from "node:fs";
import { check, DataError } from "../core/errors.ts";
import type { Checkpoints, TrainingState } from "../nn/training/training-state.ts";
import type { StoredTensor } from "../nn/weights/safetensors.ts";
import { encodeSafetensors } from "../nn/weights/safetensors.ts";
import { readSafetensors } from "./weights-files.ts";
import { writeAtomically } from "./write-atomically.ts";

/** The metadata key for steps and random state. */
const KEY = "rgnn-checkpoint";
const TRAIN_LOSS = "loss.train";
const VAL_LOSS = "loss.val";

/**
 * Saves the state of training to a file from time to time, so that training continues from there after a kill. The file
 * is whole or not there.
 *
 * @example
 * const sizes = { features: graph.numFeatures, classes: graph.numClasses };
 * const pprgo = new Pprgo(backend, sizes, pprgoDefaults, new Rng(0));
 * const checkpoints = new CheckpointFile("training.safetensors");
 * const task = { train: split.train, val: split.val, rng: new Rng(1) };
 * await trainPprgo(pprgo, view, task, pprgoTrainDefaults, { checkpoints });
 * await saveWeights(pprgo, "pprgo.safetensors", { sizes });
 * checkpoints.remove();
 */
export class CheckpointFile implements Checkpoints {
  readonly where: string;
  private readonly milliseconds: number;
  private savedAt = performance.now();

  /** Saves whenever this much time has passed, 30 s by default: at most about that much work is lost to a kill. */
  constructor(path: string, milliseconds = 30_000) {
    this.where = path;
    this.milliseconds = milliseconds;
  }

  load(): TrainingState | null {
    if (!existsSync(this.where)) return null;
    const { tensors, metadata } = readSafetensors(this.where);
    const losses = [tensors.get(TRAIN_LOSS), tensors.get(VAL_LOSS)];
    check(
      Object.hasOwn(metadata, KEY) && losses.every((loss) => loss !== undefined),
      () => `${this.where}: is no checkpoint of a training; remove it to start anew`,
      DataError,
    );
    const { steps, rng } = JSON.parse(metadata[KEY]);
    const [trainLoss, valLoss] = losses.map((loss) => Array.from(loss!.data));
    return { steps, rng, trainLoss, valLoss, tensors };
  }

  isDue(): boolean {
    return performance.now() - this.savedAt >= this.milliseconds;
  }

  async save({ steps, rng, trainLoss, valLoss, tensors }: TrainingState): Promise<void> {
    const all = new Map<string, StoredTensor>(tensors);
    all.set(TRAIN_LOSS, listOf(trainLoss));
    all.set(VAL_LOSS, listOf(valLoss));
    const metadata = { [KEY]: JSON.stringify({ steps, rng }) };
    await writeAtomically(this.where, encodeSafetensors({ tensors: all, metadata }));
    this.savedAt = performance.now();
  }

  /** Removes the file; call it when the result of the training is saved. */
  remove(): void {
    rmSync(this.where, { force: true });
  }
}

function listOf(values: readonly number[]): StoredTensor {
  return { dtype: "F32", shape: [values.length], data: Float32Array.from(values) };
}
