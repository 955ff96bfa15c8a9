import type { Flips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import { predict } from "../nn/training/evaluate.ts";
import { nodeSet } from "../nn/training/node-set.ts";
import { logitMargins } from "../nn/training/predict-nodes.ts";
import { argmaxRows, type GraphView, gatherRows, scope, withFlips } from "../tensor/index.ts";
import { accuracyObjective, type Objective } from "./objective.ts";

/** How a model classifies some nodes of one graph, in the order of the nodes. */
export interface Classification {
  readonly predictions: Int32Array;
  /** Logit of the true class minus that of the strongest other: how far a node is from being lost, or how far beyond. */
  readonly margins: Float32Array | Float64Array;
  /** The score of the objective: by default, the number of nodes that are right. */
  readonly score: number;
}

/** One attacked node before and after. */
export interface TargetOutcome {
  readonly node: number;
  readonly label: number;
  readonly clean: NodeClassification;
  readonly adversarial: NodeClassification;
}

/** How a model classifies one node. */
export interface NodeClassification {
  readonly prediction: number;
  readonly margin: number;
  readonly correct: boolean;
}

/**
 * What a perturbation does to each node that it is aimed at. Stored as columns rather than as a list of objects,
 * because there may be millions of nodes; iterating gives one {@link TargetOutcome} at a time.
 */
export class TargetOutcomes implements Iterable<TargetOutcome> {
  readonly nodes: Int32Array;
  readonly labels: Int32Array;
  readonly clean: Classification;
  readonly adversarial: Classification;

  constructor(labels: Int32Array, nodes: ArrayLike<number>, clean: Classification, adversarial: Classification) {
    this.nodes = Int32Array.from(nodes);
    this.labels = this.nodes.map((node) => labels[node]);
    this.clean = clean;
    this.adversarial = adversarial;
  }

  /** Share of the nodes that are classified correctly, before and after. */
  get accuracy(): { readonly clean: number; readonly adversarial: number } {
    return { clean: this.shareCorrect(this.clean), adversarial: this.shareCorrect(this.adversarial) };
  }

  *[Symbol.iterator](): Generator<TargetOutcome> {
    for (const [k, node] of this.nodes.entries()) {
      const label = this.labels[k];
      yield { node, label, clean: this.at(this.clean, k), adversarial: this.at(this.adversarial, k) };
    }
  }

  private at({ predictions, margins }: Classification, k: number): NodeClassification {
    return { prediction: predictions[k], margin: margins[k], correct: predictions[k] === this.labels[k] };
  }

  private shareCorrect({ predictions }: Classification): number {
    let correct = 0;
    for (let k = 0; k < predictions.length; k++) if (predictions[k] === this.labels[k]) correct++;
    return correct / predictions.length;
  }
}

/** Classifies labelled nodes of a discrete graph, in one forward pass without dropout. */
export async function classify(
  model: Model,
  view: GraphView,
  nodes: ArrayLike<number>,
  objective: Objective = accuracyObjective,
): Promise<Classification> {
  const set = nodeSet(view, nodes); // throws if one has no class: it can be neither right nor wrong
  try {
    const { predictions, margins, score } = scope(() => {
      const logits = gatherRows(predict(model, view), set.nodes);
      const ofNodes = logitMargins(logits, set.labels);
      return { predictions: argmaxRows(logits), margins: ofNodes, score: objective.score(logits, set.labels) };
    });
    const reading = [margins.read(), score.item()] as const;
    const predicted = predictions.read();
    for (const item of [predictions, margins, score]) item.dispose(); // the reads are launched already
    const [marginValues, scoreValue] = await Promise.all(reading);
    return { predictions: await predicted, margins: marginValues, score: scoreValue };
  } finally {
    set.dispose();
  }
}

/** {@link classify} on the graph with these flips. */
export async function classifyAfter(
  model: Model,
  view: GraphView,
  flips: Flips,
  nodes: ArrayLike<number>,
  objective?: Objective,
): Promise<Classification> {
  const perturbed = withFlips(view, flips);
  return classify(model, perturbed, nodes, objective).finally(() => perturbed.dispose());
}
