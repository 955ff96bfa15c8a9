import type { Region } from "./regions.ts";

/**
 * The lowest probability that any classifier can give a class under noise on the perturbed graph, if it gives it
 * `probability` under noise on the clean graph (the lemma of Neyman and Pearson). In that case the class is where noise
 * leads more often from the clean graph than from the perturbed one.
 */
export function lowestAfter(regions: readonly Region[], probability: number): number {
  // Otherwise rounding could leave a rest for regions that the clean graph cannot reach.
  const reachable = regions.filter(({ clean }) => clean > 0);
  return filled(reachable, probability);
}

/**
 * The highest such probability: the class is where noise leads more often from the perturbed graph, first where it
 * never leads from the clean one.
 */
export function highestAfter(regions: readonly Region[], probability: number): number {
  return filled(regions.toReversed(), probability);
}

/** Takes regions in order until their clean mass is `probability`, the last one in part; returns their perturbed mass. */
function filled(regions: readonly Region[], probability: number): number {
  let left = probability;
  let perturbedMass = 0;
  for (const { clean, perturbed } of regions) {
    if (clean > left) return perturbedMass + perturbed * (left / clean);
    left -= clean;
    perturbedMass += perturbed;
  }
  return perturbedMass;
}
