import type { Rng } from "../core/rng.ts";
import type { Flips } from "../graph/flips.ts";
import { type Block, relax } from "../tensor/index.ts";
import { blockOfFlips, largest, pairsAt } from "./block.ts";
import { drawFlips, type WeightedFlips } from "./choose-flips.ts";
import type { Constraints } from "./constraints/constraints.ts";
import { strongestPermitted } from "./constraints/strongest-permitted.ts";
import { margin } from "./losses.ts";
import type { Victim } from "./victim.ts";

export interface DiscretiseOptions {
  readonly budget: number;
  /** Weight of a candidate that is not in use. */
  readonly floor: number;
  /** How many discrete graphs are tried. */
  readonly samples: number;
  readonly rng: Rng;
  readonly constraints?: Constraints | undefined;
}

/**
 * Turns weights into flips. Tries the `budget` heaviest pairs, and `samples − 1` independent draws with the weights as
 * probabilities, skipping draws over budget. The lowest score wins, the earlier on ties. Where constraints do not
 * permit all pairs of a choice, the lightest are left out.
 */
export async function discretise(victim: Victim, block: Block, options: DiscretiseOptions): Promise<Flips> {
  const { budget, floor, samples, rng, constraints } = options;
  let best = await heaviest(victim, block, budget, constraints);
  let lowest = await scoreAfter(victim, best);
  const active = await activePairs(victim, block, floor);
  for (let sample = 1; sample < samples; sample++) {
    const drawn = drawFlips(active, rng, constraints);
    if (drawn.sources.length > budget) continue;
    const score = await scoreAfter(victim, drawn);
    if (score < lowest) {
      lowest = score;
      best = drawn;
    }
  }
  return best;
}

/**
 * The pairs with the largest weights that constraints permit. If fewer than `budget` candidates are in use, candidates
 * at the floor fill up the budget.
 */
export async function heaviest(
  { view }: Victim,
  block: Block,
  budget: number,
  constraints?: Constraints,
): Promise<Flips> {
  if (constraints) return strongestPermitted(block.pairs, block.weights, budget, constraints);
  const places = await largest(block.weights, Math.min(budget, block.pairs.length));
  return pairsAt(view.backend, block.pairs, places.sort());
}

async function activePairs({ view }: Victim, block: Block, floor: number): Promise<WeightedFlips> {
  const weights = await block.weights.read();
  const places: number[] = [];
  for (let e = 0; e < weights.length; e++) if (weights[e] > Math.fround(floor)) places.push(e);
  const flips = await pairsAt(view.backend, block.pairs, places);
  return { ...flips, weights: Float32Array.from(places, (e) => weights[e]) };
}

/** The score of the objective after these flips. They are laid over the graph, which is cheaper than rebuilding it. */
export async function scoreAfter(victim: Victim, flips: Flips): Promise<number> {
  const block = blockOfFlips(victim.view, flips);
  const { score } = await victim.evaluate(() => relax(victim.view, block, 0), margin).finally(() => block.dispose());
  return score;
}
