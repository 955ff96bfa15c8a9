import type { Backend } from "../../backend/backend.ts";
import type { Rng } from "../../core/rng.ts";
import type { GraphView } from "../../tensor/index.ts";
import type { Model } from "../model.ts";
import { type History, type TrainTask, train, trainDefaults, type Watch } from "../training/train.ts";

/** Number of input features and of classes. */
export interface Sizes {
  readonly features: number;
  readonly classes: number;
}

/** A model that can be asked for by name: its hyperparameters, how it is built and how it is trained. */
export interface ModelKind<Config = Hyperparameters, Training = Hyperparameters> {
  readonly summary: string;
  readonly defaults: Config;
  readonly training: Training;
  create(backend: Backend, sizes: Sizes, config: Config, rng: Rng): Model;
  train(model: Model, view: GraphView, task: TrainTask, training: Training, watch?: Watch): Promise<History>;
}

export type Hyperparameters = Readonly<Record<string, unknown>>;

/** A kind that is trained on the whole graph at once; hides the type of its hyperparameters. */
export function fullBatchKind<Config extends object>(
  summary: string,
  defaults: Config,
  create: ModelKind<Config>["create"],
): ModelKind {
  return erase({ summary, defaults, training: trainDefaults, create, train });
}

/** Forgets the types of the hyperparameters, which whoever looks a kind up by name does not know. */
export function erase<Config, Training>(kind: ModelKind<Config, Training>): ModelKind {
  return kind as unknown as ModelKind;
}
