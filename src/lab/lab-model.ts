import { Interrupted } from "../core/errors.ts";
import type { Json } from "../core/options/index.ts";
import { type BuiltModel, buildModel, type ModelChoice, trainModel } from "../defense/build-model.ts";
import type { Flips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import { evaluateSets } from "../nn/training/evaluate.ts";
import { type NodePredictions, predictNodes } from "../nn/training/predict-nodes.ts";
import type { History } from "../nn/training/train.ts";
import { withFlips } from "../tensor/index.ts";
import type { Predictions, TrainedModel } from "./calls.ts";
import type { LabGraph } from "./lab-graph.ts";
import type { LabWatch } from "./lab-watch.ts";

/** A model trained on a lab's graph, and its predictions for every node. */
export class LabModel {
  readonly id: string;
  readonly kind: string;
  readonly seed: number;
  readonly home: LabGraph;
  /** Its predictions on the clean graph. */
  readonly clean: NodePredictions;
  private readonly built: BuiltModel;

  private constructor(id: string, choice: ModelChoice, home: LabGraph, built: BuiltModel, clean: NodePredictions) {
    this.id = id;
    this.kind = choice.model;
    this.seed = choice.seed;
    this.home = home;
    this.built = built;
    this.clean = clean;
  }

  /** Builds and trains a model. Ended early, it discards the model and throws {@link Interrupted}. */
  static async train(
    id: string,
    home: LabGraph,
    choice: ModelChoice,
    watch: LabWatch,
  ): Promise<{ model: LabModel; result: TrainedModel }> {
    const { graph, view } = home;
    const built = buildModel({ dataset: graph.name, backend: view.backend, graph }, choice);
    try {
      const begin = performance.now();
      const split = home.split(choice.seed);
      const history = await trainModel(built, choice, view, split, watch);
      if (watch.signal?.aborted) throw new Interrupted(`${choice.model} was not trained to the end`);
      const seconds = (performance.now() - begin) / 1000;
      const [train, val, test] = await evaluateSets(built.model, view, [split.train, split.val, split.test]);
      const model = new LabModel(id, choice, home, built, await predictNodes(built.model, view));
      return { model, result: model.describe(history, { train, val, test }, seconds) };
    } catch (error) {
      built.model.dispose();
      throw error;
    }
  }

  get model(): Model {
    return this.built.model;
  }

  get testNodes(): Int32Array {
    return this.home.split(this.seed).test;
  }

  /** Its predictions for every node of the graph with these flips. */
  async predictAfter(flips: Flips): Promise<NodePredictions> {
    if (flips.sources.length === 0) return this.clean;
    const perturbed = withFlips(this.home.view, flips);
    return predictNodes(this.model, perturbed).finally(() => perturbed.dispose());
  }

  /** Share of the test nodes that are classified correctly. */
  accuracyOf({ predictions }: NodePredictions): number {
    const { labels } = this.home.graph;
    const right = this.testNodes.filter((node) => predictions[node] === labels[node]);
    return right.length / this.testNodes.length;
  }

  private describe(history: History, accuracy: TrainedModel["accuracy"], seconds: number): TrainedModel {
    return {
      model: this.id,
      graph: this.home.id,
      kind: this.kind,
      seed: this.seed,
      accuracy,
      roles: this.home.roles(this.seed),
      trainLoss: history.trainLoss,
      valLoss: history.valLoss,
      bestEpoch: history.bestEpoch,
      seconds,
      ...jsonOf(this.clean),
    };
  }

  dispose(): void {
    this.model.dispose();
  }
}

/** Predictions as JSON, rounded to four decimals: enough for people to read. */
export function jsonOf({ predictions, confidences, margins }: NodePredictions): Predictions {
  return {
    predictions: [...predictions],
    confidences: Array.from(confidences, rounded),
    margins: Array.from(margins, marginJson),
  };
}

/** A margin as JSON: null for NaN and infinities, which JSON does not have. */
export function marginJson(margin: number): number | null {
  return Number.isFinite(margin) ? rounded(margin) : null;
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

export type JsonOptions = Readonly<Record<string, Json>>;
