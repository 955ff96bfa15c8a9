import type { Backend } from "../backend/backend.ts";
import type { NodeIds } from "../data/node-ids.ts";
import type { Split } from "../data/splits.ts";
import type { BuiltModel, ModelChoice } from "../defense/build-model.ts";
import type { Flips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import type { NodePredictions } from "../nn/training/predict-nodes.ts";
import type { History } from "../nn/training/train.ts";
import type { SplitFacts } from "./opened-split.ts";
import type { RunWatch } from "./trained-model.ts";

/** Trains models and predicts nodes, whether the graph is in memory (`Session`) or on disk (`StoreSession`). */
export interface NodeSession {
  readonly dataset: string;
  readonly device: string;
  readonly backend: Backend;
  readonly graph: GraphCounts;
  /** What the input calls each node. Whatever a user reads or writes names nodes by these ids, never by their numbers. */
  readonly ids: NodeIds;
  /** What the input calls each class. */
  readonly classes: readonly string[];
  /** Notes on graph and split that a user should read before results, one line each. */
  readonly notes: readonly string[];
  split(seed: number): Split;
  splitFacts(seed: number): SplitFacts;
  /** Classes of these nodes, −1 where one has none. */
  labelsOf(nodes: ArrayLike<number>): Int32Array;
  /** Trains a model that was built for this choice on the training nodes of a split. */
  train(built: BuiltModel, choice: ModelChoice, split: Split, watch?: RunWatch): Promise<History>;
  /** Predictions for nodes, on the perturbed graph if flips are given. */
  predict(model: Model, nodes: ArrayLike<number>, watch?: RunWatch, flips?: Flips): Promise<NodePredictions>;
  /** Share of each of these sets that a model classifies correctly. */
  accuracies(model: Model, sets: readonly Int32Array[], watch?: RunWatch): Promise<number[]>;
  /** Removes the checkpoint that the last training kept in case it is killed. Call it once the result is safe. */
  discardCheckpoint?(): void;
  close(): Promise<void>;
}

/** How large a graph is. */
export interface GraphCounts {
  readonly numNodes: number;
  readonly numFeatures: number;
  readonly numClasses: number;
}
