import { check } from "../core/errors.ts";
import type { NodeRow } from "../files/nodes-file.ts";
import type { Flips } from "../graph/flips.ts";
import type { NodePredictions } from "../nn/training/predict-nodes.ts";
import { classNames } from "./class-names.ts";
import type { NodeSession } from "./node-session.ts";
import { nameModel, openModel, type RunWatch, type TrainedChoice, trainIfNeeded } from "./trained-model.ts";

/** Which model is evaluated, on which nodes, and on which graph. */
export interface EvaluateChoice extends TrainedChoice {
  readonly nodes: ArrayLike<number>;
  /** Evaluate on the graph with these flips, and on the clean one. */
  readonly flips?: Flips;
}

/** What `rgnn evaluate` reports. */
export interface EvaluateReport {
  readonly dataset: string;
  readonly model: string;
  readonly seed: number;
  readonly device: string;
  /** Labelled nodes that the accuracy is about. */
  readonly numNodes: number;
  /** `adversarial` is present only if flips were given. */
  readonly accuracy: { readonly clean: number; readonly adversarial?: number };
  readonly numFlips: number;
}

/** What {@link runEvaluate} gives back. */
export interface Evaluation {
  readonly report: EvaluateReport;
  /** Predictions of the chosen nodes, on the perturbed graph if there are flips. */
  readonly predictions: NodePredictions;
}

/** Opens or trains a model and evaluates it on the graph of the session, and after flips where there are some. */
export async function runEvaluate(
  session: NodeSession,
  given: EvaluateChoice,
  watch: RunWatch = {},
): Promise<Evaluation> {
  const { nodes, flips } = given;
  const labels = session.labelsOf(nodes);
  const labelled = countLabelled(labels);
  return withModel(session, given, watch, async (predict, model) => {
    const clean = await predict();
    const perturbed = flips && (await predict(flips));
    const accuracy = {
      clean: shareCorrect(clean, labels),
      ...(perturbed && { adversarial: shareCorrect(perturbed, labels) }),
    };
    const { dataset, device } = session;
    const numFlips = flips?.sources.length ?? 0;
    const report = { dataset, model, seed: given.seed, device, numNodes: labelled, accuracy, numFlips };
    return { report, predictions: perturbed ?? clean };
  });
}

/** Opens or trains a model and predicts nodes, which need no labels. */
export async function runPredict(session: NodeSession, given: EvaluateChoice, watch: RunWatch = {}) {
  return withModel(session, given, watch, async (predict, model) => ({
    model,
    predictions: await predict(given.flips),
  }));
}

/** A row per node, for people and files. */
export function nodeRows(session: NodeSession, predictions: NodePredictions): NodeRow[] {
  const { ids } = session;
  const labels = session.labelsOf(predictions.nodes);
  const classes = classNames(session);
  return Array.from(predictions.nodes, (node, k) => ({
    node: ids.idOf(node),
    label: labels[k] < 0 ? null : classes[labels[k]],
    prediction: classes[predictions.predictions[k]],
    confidence: predictions.confidences[k],
    margin: labels[k] < 0 ? null : predictions.margins[k],
  }));
}

/** Number of labelled nodes; `labels` has −1 for a node without a label. Throws if none has one. */
export function countLabelled(labels: Int32Array): number {
  const labelled = labels.filter((label) => label >= 0).length;
  check(labelled > 0, () => "none of the nodes has a label; use rgnn predict, which needs none");
  return labelled;
}

/** Predictions for the nodes of a choice, on the clean graph or after flips. */
export type Predict = (flips?: Flips) => Promise<NodePredictions>;

/** Opens or trains the model of a choice, calls `work` with it, and disposes it. */
export async function withModel<T>(
  session: NodeSession,
  given: EvaluateChoice,
  watch: RunWatch,
  work: (predict: Predict, model: string) => Promise<T>,
): Promise<T> {
  const choice = nameModel(given);
  const built = openModel(session, choice, watch);
  const predict: Predict = (flips) => session.predict(built.model, given.nodes, watch, flips);
  try {
    await trainIfNeeded(session, built, choice, watch);
    const result = await work(predict, choice.model);
    session.discardCheckpoint?.();
    return result;
  } finally {
    built.model.dispose();
  }
}

/** Share of the labelled nodes that a model is right about; `labels` are in the order of its nodes. */
export function shareCorrect({ predictions }: NodePredictions, labels: Int32Array): number {
  let correct = 0;
  for (let k = 0; k < labels.length; k++) if (predictions[k] === labels[k]) correct++;
  return correct / countLabelled(labels);
}
