import { lowerBound, upperBound } from "./clopper-pearson.ts";

/** What votes say about one node, with confidence. */
export interface VoteBounds {
  /** Lower bound on the probability of the chosen class under noise. */
  readonly chosen: number;
  /** Upper bound on the probability of any other class. */
  readonly others: number;
}

/** How votes were counted. */
export interface Counting {
  /** Votes of one node. */
  readonly samples: number;
  readonly numClasses: number;
  /** How often a certificate may be wrong. */
  readonly alpha: number;
}

/**
 * Bounds from `chosen` votes for the class and `others` for the strongest other one. The level is divided by the number of classes
 * (Bonferroni): bounds on all classes hold at once, so that votes may tell which of the others is strongest.
 */
export function voteBounds(chosen: number, others: number, { samples, numClasses, alpha }: Counting): VoteBounds {
  const level = alpha / numClasses;
  return { chosen: lowerBound(chosen, samples, level), others: upperBound(others, samples, level) };
}
