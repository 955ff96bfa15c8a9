import type { Flips } from "../../graph/flips.ts";
import { classifyAfter } from "../target-outcomes.ts";
import type { Victim } from "../victim.ts";

/**
 * The flips with the lowest mean score, the first on ties. Evaluates them on fresh graphs, because scores seen in the
 * search may be lucky or rounded.
 */
export async function strongestOf(
  { model, view, objective }: Victim,
  nodes: ArrayLike<number>,
  candidates: readonly Flips[],
  repeats: number,
): Promise<Flips> {
  let best = { flips: candidates[0], total: Number.POSITIVE_INFINITY };
  for (const flips of candidates) {
    let total = 0;
    for (let k = 0; k < repeats; k++) {
      total += (await classifyAfter(model, view, flips, nodes, objective)).score;
    }
    if (total < best.total) best = { flips, total };
  }
  return best.flips;
}
