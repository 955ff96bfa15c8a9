import type { Rng } from "../core/rng.ts";
import type { Flips } from "../graph/flips.ts";

/** Pairs with the probability that each is flipped, on the host. */
export interface WeightedFlips extends Flips {
  readonly weights: Float32Array;
}

/** Independent draws: each pair with its own probability. */
export function drawFlips({ sources, targets, weights }: WeightedFlips, rng: Rng): Flips {
  const chosen: number[] = [];
  for (let e = 0; e < weights.length; e++) if (rng.uniform() < weights[e]) chosen.push(e);
  return { sources: Int32Array.from(chosen, (e) => sources[e]), targets: Int32Array.from(chosen, (e) => targets[e]) };
}
