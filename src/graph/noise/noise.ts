import { check } from "../../core/errors.ts";

/** Probabilities that noise changes a place of a binary matrix, independently for each place. */
export interface FlipNoise {
  /** Probability that a 0 becomes a 1. */
  readonly add: number;
  /** Probability that a 1 becomes a 0. */
  readonly delete: number;
}

/** What noise does to a graph. */
export interface Noise {
  /** On each pair of nodes; an undirected pair changes in both directions. */
  readonly edges: FlipNoise;
  /** On each word of each node. Features must be sparse and binary. */
  readonly features: FlipNoise;
}

/** Changes nothing. */
export const noNoise: FlipNoise = { add: 0, delete: 0 };

/** True if this noise can change anything. */
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
