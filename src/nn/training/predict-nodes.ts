import type { Backend } from "../../backend/backend.ts";
import { check } from "../../core/errors.ts";
import {
  argmaxRows,
  Constants,
  filled,
  type GraphView,
  gatherRows,
  IntTensor,
  margins,
  pick,
  scope,
  softmax,
  type Tensor,
} from "../../tensor/index.ts";
import type { Model } from "../model.ts";

/** A model's predictions for some nodes, in their order. Arrays, not objects: there may be millions of nodes. */
export interface NodePredictions {
  readonly nodes: Int32Array;
  /** The class with the largest logit, the first on ties. */
  readonly predictions: Int32Array;
  /** Probability that the model gives to this class. */
  readonly confidences: Float32Array | Float64Array;
  /**
   * Logit of the true class minus that of the strongest other; below 0 if the node is misclassified. NaN for a node
   * without a label.
   */
  readonly margins: Float32Array | Float64Array;
}

/**
 * Classifies nodes, all by default, in one forward pass without dropout. They need no labels.
 *
 * @example
 * const { predictions, confidences } = await predictNodes(model, view, [17, 42]);
 */
export async function predictNodes(
  model: Model,
  view: GraphView,
  chosen?: ArrayLike<number>,
): Promise<NodePredictions> {
  const { backend, numNodes, labels } = view;
  const nodes = chosen ? Int32Array.from(chosen) : Int32Array.from({ length: numNodes }, (_, node) => node);
  for (const node of nodes) check(node >= 0 && node < numNodes, () => `node ${node} must be in 0 … ${numNodes - 1}`);
  const known = nodes.map((node) => labels[node]);
  return readPredictions(backend, nodes, known, () => {
    const all = model.forward(view, { constants: new Constants(), dropout: null });
    return gatherRows(all, IntTensor.from(backend, nodes));
  });
}

/** Predictions for nodes from their logits, one row per node; `labels` are their classes, −1 where a node has none. */
export async function readPredictions(
  backend: Backend,
  nodes: Int32Array,
  labels: Int32Array,
  logitsOf: () => Tensor,
): Promise<NodePredictions> {
  const onDevice = scope(() => {
    const logits = logitsOf();
    const classes = IntTensor.from(
      backend,
      labels.map((label) => Math.max(0, label)),
    );
    const predictions = argmaxRows(logits);
    return {
      predictions,
      confidences: pick(softmax(logits), predictions),
      margins: logitMargins(logits, classes),
    };
  });
  const reading = [onDevice.confidences.read(), onDevice.margins.read()] as const;
  const predictions = onDevice.predictions.read();
  for (const tensor of Object.values(onDevice)) tensor.dispose(); // the reads have been started
  const [confidences, marginValues] = await Promise.all(reading);
  const known = marginValues.map((margin, k) => (labels[k] < 0 ? Number.NaN : margin));
  return { nodes, predictions: await predictions, confidences, margins: known };
}

/** Logit of each row's class minus that of the strongest other; infinite if there is only one class. */
export function logitMargins(logits: Tensor, classes: IntTensor): Tensor {
  const { backend, shape } = logits;
  return shape[1] > 1 ? margins(logits, classes) : filled(backend, [shape[0]], Number.POSITIVE_INFINITY);
}
