import { check } from "../core/errors.ts";
import type { NodeRow } from "../files/nodes-file.ts";
import type { Flips } from "../graph/flips.ts";
import { type NodePredictions, predictNodes } from "../nn/training/predict-nodes.ts";
import { withFlips } from "../tensor/index.ts";
import { classNames } from "./class-names.ts";
import type { Session } from "./session.ts";
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
  /** `adversarial` is there if there are flips. */
  readonly accuracy: { readonly clean: number; readonly adversarial?: number };
  readonly numFlips: number;
}

/** What {@link runEvaluate} gives back. */
export interface Evaluation {
  readonly report: EvaluateReport;
  /** Every node on the graph that was asked about: the perturbed one if there are flips. */
  readonly predictions: NodePredictions;
}

/** Opens or trains a model and evaluates it on the graph of the session, and after flips where there are some. */
export async function runEvaluate(session: Session, given: EvaluateChoice, watch: RunWatch = {}): Promise<Evaluation> {
  const { nodes, flips } = given;
  const { labels } = session.graph;
  const labelled = Array.from(nodes).filter((node) => labels[node] >= 0).length;
  check(labelled > 0, () => "none of the nodes has a label; use rgnn predict, which needs none");
  return withModel(session, given, watch, async (predict, model) => {
    const clean = await predict();
    const perturbed = flips && (await predict(flips));
    const accuracy = {
      clean: shareCorrect(clean, labels, labelled),
      ...(perturbed && { adversarial: shareCorrect(perturbed, labels, labelled) }),
    };
    const { dataset, device } = session;
    const numFlips = flips?.sources.length ?? 0;
    const report = { dataset, model, seed: given.seed, device, numNodes: labelled, accuracy, numFlips };
    return { report, predictions: perturbed ?? clean };
  });
}

/** What a model says about nodes, which need no labels. */
export async function runPredict(session: Session, given: EvaluateChoice, watch: RunWatch = {}) {
  return withModel(session, given, watch, async (predict, model) => ({
    model,
    predictions: await predict(given.flips),
  }));
}

/** A row per node, for people and files. */
export function nodeRows(session: Session, predictions: NodePredictions): NodeRow[] {
  const { ids } = session;
  const { labels } = session.graph;
  const classes = classNames(session);
  return Array.from(predictions.nodes, (node, k) => ({
    node: ids.idOf(node),
    label: labels[node] < 0 ? null : classes[labels[node]],
    prediction: classes[predictions.predictions[k]],
    confidence: predictions.confidences[k],
    margin: labels[node] < 0 ? null : predictions.margins[k],
  }));
}

type Predict = (flips?: Flips) => Promise<NodePredictions>;

async function withModel<T>(
  session: Session,
  given: EvaluateChoice,
  watch: RunWatch,
  work: (predict: Predict, model: string) => Promise<T>,
): Promise<T> {
  const choice = nameModel(given);
  const built = openModel(session, choice, watch);
  const predict: Predict = async (flips) => {
    if (!flips) return predictNodes(built.model, session.view, given.nodes);
    const perturbed = withFlips(session.view, flips);
    return predictNodes(built.model, perturbed, given.nodes).finally(() => perturbed.dispose());
  };
  try {
    await trainIfNeeded(session, built, choice, watch);
    return await work(predict, choice.model);
  } finally {
    built.model.dispose();
  }
}

function shareCorrect({ nodes, predictions }: NodePredictions, labels: Int32Array, labelled: number): number {
  let correct = 0;
  for (let k = 0; k < nodes.length; k++) if (predictions[k] === labels[nodes[k]]) correct++;
  return correct / labelled;
}
