import type { FlipNoise, Noise } from "../graph/noise/noise.ts";
import { binomial, convolved } from "./binomial.ts";

/** How much an adversary changes in one matrix, anywhere in it. */
export interface Radius {
  /** Zeros that become ones. */
  readonly additions: number;
  /** Ones that become zeros. */
  readonly deletions: number;
}

/** How much an adversary changes in a graph. */
export interface GraphRadius {
  readonly edges: Radius;
  readonly features: Radius;
}

/**
 * A set of noisy graphs that all have the same ratio of probabilities after the clean and after the perturbed graph.
 * The numbers are how likely noise leads into the set from each of the two.
 */
export interface Region {
  readonly clean: number;
  readonly perturbed: number;
}

/**
 * The regions of Bojchevski et al. (2020) for an adversary within this radius, by falling ratio of the clean to the
 * perturbed probability. It does not matter which places the adversary changed: the two graphs differ in additions +
 * deletions places, and a noisy graph counts only by the number of these in which it differs from the clean graph.
 *
 * Each mass is a sum of positive terms, without ratios. So probabilities of 0, for which the published formula has
 * special cases, need none here: a region that one of the graphs cannot reach has mass 0.
 */
export function regionsOf(noise: Noise, { edges, features }: GraphRadius): Region[] {
  const regions = matrixRegions(noise.edges, edges);
  const more = matrixRegions(noise.features, features);
  return regions
    .flatMap((one) => more.map((other) => product(one, other)))
    .filter(({ clean, perturbed }) => clean > 0 || perturbed > 0)
    .sort((a, b) => compare(b.clean / b.perturbed, a.clean / a.perturbed));
}

/** Edges and features change independently. */
function product(edges: Region, features: Region): Region {
  return { clean: edges.clean * features.clean, perturbed: edges.perturbed * features.perturbed };
}

/** Not by a difference: two ratios may both be infinite. */
function compare(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function matrixRegions({ add, delete: drop }: FlipNoise, { additions, deletions }: Radius): Region[] {
  const clean = convolved(binomial(additions, add), binomial(deletions, drop));
  // Where the adversary added, the perturbed graph differs from the clean one already, and noise must leave that alone.
  const perturbed = convolved(binomial(additions, 1 - drop), binomial(deletions, 1 - add));
  return Array.from(clean, (mass, q) => ({ clean: mass, perturbed: perturbed[q] }));
}
