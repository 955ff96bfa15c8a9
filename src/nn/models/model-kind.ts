import type { Backend } from "../../backend/backend.ts";
import type { Description, OptionsOf } from "../../core/options/index.ts";
import type { Rng } from "../../core/rng.ts";
import type { GraphView } from "../../tensor/index.ts";
import type { Model } from "../model.ts";
import type { RowsToLearn } from "../training/labelled-rows.ts";
import { type History, type TrainTask, train, trainOptions, type Watch } from "../training/train.ts";

/** Number of input features and of classes. */
export interface Sizes {
  readonly features: number;
  readonly classes: number;
}

/** A model that can be asked for by name: its hyperparameters, how it is built and how it is trained. */
export interface ModelKind<Options extends Description = Description, Training extends Description = Description> {
  readonly summary: string;
  /** Hyperparameters of the model. */
  readonly options: Options;
  /** Hyperparameters of its training; the names do not overlap. */
  readonly trainingOptions: Training;
  create(backend: Backend, sizes: Sizes, config: OptionsOf<Options>, rng: Rng): Model;
  train(model: Model, view: GraphView, task: TrainTask, training: OptionsOf<Training>, watch?: Watch): Promise<History>;
  /** Only for kinds of `Pprgo`: they learn from rows of PageRank alone, so that the graph may be larger than memory. */
  trainOnRows?(
    model: Model,
    data: RowsToLearn,
    rng: Rng,
    training: OptionsOf<Training>,
    watch?: Watch,
  ): Promise<History>;
}

/** Hyperparameters of a model or of its training, by name. */
export type Hyperparameters = Readonly<Record<string, unknown>>;

/** A kind that is trained on the whole graph at once; hides the type of its hyperparameters. */
export function fullBatchKind<Options extends Description>(
  summary: string,
  options: Options,
  create: ModelKind<Options>["create"],
): ModelKind {
  return erase({ summary, options, trainingOptions: trainOptions, create, train });
}

/** Hides the types of the hyperparameters: code that looks up a kind by name does not know them. */
export function erase<Options extends Description, Training extends Description>(
  kind: ModelKind<Options, Training>,
): ModelKind {
  return kind as unknown as ModelKind;
}
