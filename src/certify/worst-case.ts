import type { Region } from "./regions.ts";

/**
 * The lowest probability that any classifier can have of a class after the perturbed graph, if it has this probability after the clean
 * one (the lemma of Neyman and Pearson): the class is where the clean graph leads more often than the perturbed one.
 */
export function lowestAfter(regions: readonly Region[], probability: number): number {
  const reachable = regions.filter(({ clean }) => clean > 0); // rounding must not leave a rest for those that are not
  return filled(reachable, probability);
}

/** The highest one: the class is where the perturbed graph leads more often, first where the clean one never does. */
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
