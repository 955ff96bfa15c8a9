import { check } from "../../core/errors.ts";

/** How a model classifies one node of one graph. */
export interface NodeOutcome {
  /** The class with the largest logit, the first on ties. */
  readonly prediction: number;
  readonly correct: boolean;
  /** Logit of the true class minus that of the strongest other. */
  readonly margin: number;
  /** The same difference of probabilities: ψ, in [−1, 1]. */
  readonly probabilityMargin: number;
  /** Probability of each class. */
  readonly probabilities: Float64Array;
}

/** Reads the logits of a node with this true class. */
export function nodeOutcome(logits: ArrayLike<number>, label: number): NodeOutcome {
  check(label < logits.length, () => `class ${label} must be in 0 … ${logits.length - 1}, the classes of the model`);
  const probabilities = softmaxOf(logits);
  const prediction = largest(logits, -1);
  const rival = largest(logits, label);
  const isOnlyClass = rival < 0; // nothing can be lost
  return {
    prediction,
    correct: prediction === label,
    margin: isOnlyClass ? Number.POSITIVE_INFINITY : logits[label] - logits[rival],
    probabilityMargin: isOnlyClass ? 1 : probabilities[label] - probabilities[rival],
    probabilities,
  };
}

/**
 * Whether the goal of an attack is reached: the class `towards`, or any but the true one where it is null. Ties go to the first class,
 * as in predictions.
 */
export function reachesGoal({ prediction, correct }: NodeOutcome, towards: number | null): boolean {
  return towards === null ? !correct : prediction === towards;
}

/** How far the goal is: positive while it is missed. A difference of logits. */
export function distanceToGoal(logits: ArrayLike<number>, label: number, towards: number | null): number {
  if (towards !== null) return logits[largest(logits, towards)] - logits[towards];
  return logits[label] - logits[largest(logits, label)];
}

/** The class with the largest logit other than `without`, the first on ties; −1 if there is no other. */
export function largest(logits: ArrayLike<number>, without: number): number {
  let best = -1;
  for (let c = 0; c < logits.length; c++) if (c !== without && (best < 0 || logits[c] > logits[best])) best = c;
  return best;
}

function softmaxOf(logits: ArrayLike<number>): Float64Array {
  const top = logits[largest(logits, -1)];
  const scaled = Float64Array.from(logits, (logit) => Math.exp(logit - top));
  const total = scaled.reduce((sum, value) => sum + value, 0);
  return scaled.map((value) => value / total);
}
