import { check } from "../../core/errors.ts";

/** How likely noise changes a place of a binary matrix, each place on its own. */
export interface FlipNoise {
  /** Probability that a 0 becomes a 1. */
  readonly add: number;
  /** Probability that a 1 becomes a 0. */
  readonly delete: number;
}

/** What noise does to a graph. */
export interface Noise {
  /** To each pair of nodes; an undirected pair changes in both directions. */
  readonly edges: FlipNoise;
  /** To each word of each node, where features are sparse and binary. */
  readonly features: FlipNoise;
}

/** Changes nothing. */
export const noNoise: FlipNoise = { add: 0, delete: 0 };

/** True if there is a place that this noise can change. */
export function isNoisy({ add, delete: drop }: FlipNoise): boolean {
  return add > 0 || drop > 0;
}

/** Throws unless these are probabilities and something is noisy: without noise nothing can be certified. */
export function checkNoise({ edges, features }: Noise): void {
  for (const [what, flips] of Object.entries({ edges, features })) {
    for (const [name, p] of Object.entries(flips)) {
      check(p >= 0 && p < 1, () => `noise on ${what}: ${name} must be a probability below 1, got ${p}`);
    }
  }
  check(
    isNoisy(edges) || isNoisy(features),
    () => "noise: all probabilities are 0; without noise nothing is certified",
  );
}
