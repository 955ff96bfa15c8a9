import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { check, lookup } from "../../core/errors.ts";
import type { Split } from "../../data/splits.ts";
import { type BuiltModel, type ModelChoice, trainingRng } from "../../defense/build-model.ts";
import { modelKinds } from "../../defense/model-kinds.ts";
import { CheckpointFile } from "../../files/checkpoint-file.ts";
import type { GraphStore } from "../../files/store/open-store.ts";
import { keptRows, type StoredRows } from "../../files/store/page-rank/stored-rows.ts";
import { checkWritable } from "../../files/write-atomically.ts";
import type { Pprgo } from "../../nn/models/pprgo.ts";
import { checkLabels, type LabelledRows } from "../../nn/training/labelled-rows.ts";
import type { History } from "../../nn/training/train.ts";
import type { RunWatch } from "../trained-model.ts";

/** The store and split that a model is trained on, and how. */
export interface StoreTraining {
  readonly store: GraphStore;
  readonly threads: number;
  readonly split: Split;
  /** Milliseconds between checkpoints: a kill loses that much work. */
  readonly checkpointMilliseconds?: number | undefined;
}

/**
 * Losses of a training on a store, and the checkpoint file from which it would continue after a kill; null if that
 * cannot be written.
 */
export interface StoreTrained {
  readonly history: History;
  readonly checkpoint: CheckpointFile | null;
}

/**
 * Trains a kind of PPRGo on a store. Rows of PageRank are pushed once and kept on disk; batches read what they need.
 */
export async function trainOnStore(
  built: BuiltModel,
  choice: ModelChoice,
  { store, threads, split, checkpointMilliseconds }: StoreTraining,
  watch: RunWatch = {},
): Promise<StoreTrained> {
  const kind = lookup(modelKinds, choice.model, "model");
  check(kind.trainOnRows !== undefined, () => `${choice.model} does not learn from rows of PageRank`);
  const { progress, signal, warn } = watch;
  const model = built.model as Pprgo;
  const all = concat(split.train, split.val);
  const labels = checkLabels(all, store.labels(all));
  const wanted = { nodes: all, options: model.pageRank };
  const { rows, reused } = await keptRows(store, wanted, {
    threads,
    ...(progress && { progress }),
    ...(signal && { signal }),
    ...(warn && { warn }),
  });
  try {
    if (reused) watch.warn?.(`uses the rows of PageRank in ${rows.folder}`);
    const file = checkpointOf(rows, built, choice, store, checkpointMilliseconds);
    if (existsSync(file.where)) watch.warn?.(`goes on from ${file.where}; remove it to start anew`);
    const checkpoint = await writable(file, watch);
    const data = {
      train: rangeOf(rows, labels, 0, split.train.length),
      val: rangeOf(rows, labels, split.train.length, all.length),
      features: (asked: Int32Array) => store.features(asked),
    };
    const run = { ...watch, ...(checkpoint && { checkpoints: checkpoint }) };
    const history = await kind.trainOnRows(model, data, trainingRng(choice.seed), built.hyperparameters.training, run);
    return { history, checkpoint };
  } finally {
    rows.close();
  }
}

/**
 * The checkpoint file, or null with a warning if it cannot be written: a store made by others may have the rows already
 * and be read-only. A kill then loses the whole training.
 */
async function writable(file: CheckpointFile, { warn }: RunWatch): Promise<CheckpointFile | null> {
  try {
    await checkWritable(file.where);
    return file;
  } catch (error) {
    warn?.(`trains without checkpoints: ${(error as Error).message}`);
    return null;
  }
}

/** The rows at positions `begin` … `end − 1`, numbered from 0. */
function rangeOf(rows: StoredRows, labels: Int32Array, begin: number, end: number): LabelledRows {
  return {
    labels: labels.subarray(begin, end),
    select: (positions) => rows.select(positions.map((t) => t + begin)),
  };
}

/** The checkpoint file of a run, beside its rows. Runs that lead to different weights have different file names. */
function checkpointOf(
  { folder }: StoredRows,
  { model, hyperparameters }: BuiltModel,
  { model: kind, seed }: ModelChoice,
  { header }: GraphStore,
  milliseconds?: number,
): CheckpointFile {
  const { features, labels } = header.parts;
  const inputs = [features.checksums, labels.checksums];
  const device = (model as Pprgo).backend.name;
  const identity = JSON.stringify({ kind, seed, hyperparameters, inputs, device });
  const name = createHash("sha256").update(identity).digest("hex").slice(0, 16);
  return new CheckpointFile(join(folder, `training-${name}.safetensors`), milliseconds);
}

function concat(a: Int32Array, b: Int32Array): Int32Array {
  const both = new Int32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
