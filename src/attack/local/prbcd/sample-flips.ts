import type { Rng } from "../../../core/rng.ts";
import { closer, type FlipTrials, type TriedFlips } from "./flip-trials.ts";
import { placesAbove } from "./places-above.ts";

/** How weights become flips. */
export interface SampleOptions {
  readonly budget: number;
  /** Weight of a candidate that is not in use. */
  readonly floor: number;
  /** How many discrete graphs are tried. */
  readonly samples: number;
  readonly rng: Rng;
}

/**
 * Tries the clean graph, the `budget` heaviest candidates that are in use, and `samples − 1` independent draws with the
 * weights as probabilities, skipping draws that are empty or over budget. Returns the flips that come closest to the
 * goal, the earlier on ties.
 */
export async function sampleFlips(
  trials: FlipTrials,
  weights: Float64Array,
  { budget, floor, samples, rng }: SampleOptions,
): Promise<TriedFlips> {
  const active = placesAbove(weights, floor);
  const heaviest = active.toSorted((a, b) => weights[b] - weights[a] || a - b).slice(0, budget);
  let best = closer(await trials.try([]), await trials.try(heaviest));
  for (let sample = 1; sample < samples; sample++) {
    const drawn = active.filter((e) => rng.uniform() < weights[e]);
    if (drawn.length === 0 || drawn.length > budget) continue;
    best = closer(best, await trials.try(drawn));
  }
  return best;
}
