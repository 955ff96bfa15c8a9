import type { Backend } from "../backend/backend.ts";
import { readAndClose } from "../data/formats/byte-source.ts";
import { robustModels } from "../defense/robust-models.ts";
import type { Model } from "../nn/model.ts";
import type { ModelKind } from "../nn/models/model-kind.ts";
import { vanillaModels } from "../nn/models/vanilla-models.ts";
import { decodePyg, encodePyg, type PygModel, type PygOptions } from "../nn/weights/pyg-layout.ts";
import { restoreModel } from "../nn/weights/restore-model.ts";
import { decodeSafetensors, encodeSafetensors, type Safetensors } from "../nn/weights/safetensors.ts";
import {
  assignWeights,
  decodeWeights,
  decodeWeightsConfig,
  encodeWeights,
  type WeightsConfig,
  type WeightsFacts,
} from "../nn/weights/weights.ts";
import { fileSource } from "./file-source.ts";
import { writeAtomically } from "./write-atomically.ts";

/**
 * Saves parameters and statistics as safetensors; the metadata says how the model was built. Atomic.
 *
 * @example
 * const sizes = { features: graph.numFeatures, classes: graph.numClasses };
 * await saveWeights(model, "gcn.safetensors", { sizes, dataset: "cora_ml" });
 * const again = loadModel(backend, "gcn.safetensors").model;
 */
export async function saveWeights(model: Model, file: string, facts: WeightsFacts): Promise<void> {
  await writeAtomically(file, await encodeWeights(model, facts));
}

/**
 * Overwrites the weights of `model` with saved ones. If any name or shape differs, it throws and nothing changes.
 * Returns the configuration of the model that was saved.
 */
export function loadWeights(model: Model, file: string): WeightsConfig {
  const saved = readAndClose(fileSource(file), decodeWeights);
  assignWeights(model, saved);
  return saved.config;
}

/** Reads the metadata of a weights file without its weights. */
export function readWeightsConfig(file: string): WeightsConfig {
  return readAndClose(fileSource(file), decodeWeightsConfig);
}

/** A model, and its configuration from the file. */
export interface LoadedModel {
  /** The caller disposes it. */
  readonly model: Model;
  readonly config: WeightsConfig;
}

const allKinds: Readonly<Record<string, ModelKind>> = { ...vanillaModels, ...robustModels };

/**
 * The model of a weights file: the file names its kind, its hyperparameters and its sizes.
 *
 * @example
 * const { model, config } = loadModel(backend, "gcn.safetensors");
 * console.log(config.kind, config.dataset);
 */
export function loadModel(backend: Backend, file: string): LoadedModel {
  const saved = readAndClose(fileSource(file), decodeWeights);
  return { model: restoreModel(backend, saved, allKinds), config: saved.config };
}

/** A model that was trained with PyTorch Geometric; see `decodePyg`. */
export function importPyg(file: string, options: PygOptions = {}): PygModel {
  return readAndClose(fileSource(file), (source) => decodePyg(source, options));
}

/** Writes a gcn, gat or sgc so that PyTorch Geometric can load it; see `encodePyg`. Atomic. */
export async function exportPyg(model: Model, file: string): Promise<void> {
  await writeAtomically(file, await encodePyg(model));
}

/** Reads and checks a safetensors file; a `DataError` names what is wrong. */
export function readSafetensors(file: string): Safetensors {
  return readAndClose(fileSource(file), decodeSafetensors);
}

/** Writes `F32` and `I64` tensors atomically. */
export async function writeSafetensors(file: string, content: Safetensors): Promise<void> {
  await writeAtomically(file, encodeSafetensors(content));
}
