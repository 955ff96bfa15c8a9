import type { LocalBudget } from "../attack/local/local-task.ts";
import { check } from "../core/errors.ts";
import type { NumpyRandom } from "../data/numpy-random.ts";
import type { NodePredictions } from "../nn/training/predict-nodes.ts";

/** Nodes selected at each end of the confidence ranking; twice as many are drawn from the rest. */
const BY_CONFIDENCE = 10;
const SELECTED = 4 * BY_CONFIDENCE;

/** What is known of the nodes to select from. */
export interface SelectionPool {
  /** Predictions of the attacked model on the clean graph. */
  readonly predictions: NodePredictions;
  /** True class of a node. */
  labelOf(node: number): number;
  /** Neighbours of a node. */
  degreeOf(node: number): number;
}

/**
 * Selects nodes as the published local attacks do. Of the correctly classified nodes of degree `minDegree` or more: the
 * ten with the highest confidence, the ten with the lowest, and twenty of the rest, drawn by the generator that drew
 * the split.
 */
export function selectNodes(pool: SelectionPool, minDegree: number, random: NumpyRandom): Int32Array {
  const { nodes, predictions, confidences } = pool.predictions;
  const suitable = Array.from(nodes.keys()).filter((k) => pool.degreeOf(nodes[k]) >= minDegree);
  check(
    suitable.length >= SELECTED,
    () => `${suitable.length} nodes have ${minDegree} or more edges, ${SELECTED} are selected; name nodes with --nodes`,
  );
  const correct = suitable.filter((k) => predictions[k] === pool.labelOf(nodes[k]));
  const bySureness = [...correct].sort((a, b) => confidences[b] - confidences[a]);
  const surest = bySureness.slice(0, BY_CONFIDENCE);
  const leastSure = bySureness.slice(BY_CONFIDENCE).slice(-BY_CONFIDENCE).reverse();
  const taken = new Set([...surest, ...leastSure]);
  const rest = correct.filter((k) => !taken.has(k));
  const drawn = random.sample(rest.length, Math.min(2 * BY_CONFIDENCE, rest.length));
  return Int32Array.from([...surest, ...leastSure, ...Array.from(drawn, (place) => rest[place])], (k) => nodes[k]);
}

/** Lowest degree of nodes selected for this budget: it must allow one flip. */
export function minDegreeOf(budget: LocalBudget): number {
  return "share" in budget && budget.share > 0 ? Math.floor(1 / budget.share) : 1;
}
