import type { Backend } from "../backend/backend.ts";
import { lookup } from "../core/errors.ts";
import { Rng } from "../core/rng.ts";
import type { Split } from "../data/splits.ts";
import type { Model } from "../nn/model.ts";
import { type ResolvedHyperparameters, resolveHyperparameters } from "../nn/models/hyperparameters.ts";
import type { Hyperparameters } from "../nn/models/model-kind.ts";
import { presetOf } from "../nn/models/presets.ts";
import type { History, Watch } from "../nn/training/train.ts";
import type { GraphView } from "../tensor/index.ts";
import { modelKinds, presets } from "./model-kinds.ts";

/** The uses of one seed, each with random numbers of its own. */
export const stream = { init: 1, dropout: 2, attack: 3, sample: 4 } as const;

/** Which model to build, and how. */
export interface ModelChoice {
  readonly model: string;
  readonly seed: number;
  /** Hyperparameters that replace those of the preset; texts are read as the type of the default. */
  readonly set?: Hyperparameters;
}

/** A model, and what it was built with. */
export interface BuiltModel {
  readonly model: Model;
  readonly preset: string;
  readonly hyperparameters: ResolvedHyperparameters;
}

/** The graph and the backend that a model is built for. */
export interface BuildPlace {
  /** The name of the graph, by which presets are found. */
  readonly dataset: string;
  readonly backend: Backend;
  readonly graph: { readonly numFeatures: number; readonly numClasses: number };
}

/** An untrained model with the hyperparameters of its preset for this dataset. */
export function buildModel(session: BuildPlace, { model: name, seed, set = {} }: ModelChoice): BuiltModel {
  const kind = lookup(modelKinds, name, "model");
  const preset = presetOf(presets, name, session.dataset);
  const hyperparameters = resolveHyperparameters(name, kind, preset.values, set);
  const sizes = { features: session.graph.numFeatures, classes: session.graph.numClasses };
  const model = kind.create(session.backend, sizes, hyperparameters.model, new Rng(seed, stream.init));
  return { model, preset: preset.name, hyperparameters };
}

/** Trains a model built for this choice, on `view`: the session's graph, or a perturbed one to poison it. */
export function trainModel(
  { model, hyperparameters }: BuiltModel,
  choice: ModelChoice,
  view: GraphView,
  split: Split,
  watch: Watch = {},
): Promise<History> {
  const kind = lookup(modelKinds, choice.model, "model");
  const task = { train: split.train, val: split.val, rng: trainingRng(choice.seed) };
  return kind.train(model, view, task, hyperparameters.training, watch);
}

/** The random numbers of a training with this seed. */
export function trainingRng(seed: number): Rng {
  return new Rng(seed, stream.dropout);
}

/** The random numbers of an attack with this seed. */
export function attackRng(seed: number): Rng {
  return new Rng(seed, stream.attack);
}
