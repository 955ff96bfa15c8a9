import { type FlipNoise, type Noise, noNoise } from "../graph/noise/noise.ts";
import { type GraphRadius, type Radius, type Region, regionsOf } from "./regions.ts";
import type { VoteBounds } from "./vote-bounds.ts";
import { highestAfter, lowestAfter } from "./worst-case.ts";

/** In which matrix an adversary changes something. */
export type Target = "edges" | "features";

/** Largest radius that is tried in one direction. No noise that leaves a model of use certifies more. */
export const LARGEST_RADIUS = 64;

/** What one node is certified against: entry `a` is the most deletions that go with `a` additions. Empty if its class is not certain. */
export type CertifiedRadii = readonly number[];

/** True if no adversary within this radius changes the class of a node whose votes have these bounds. */
export function isCertified({ chosen, others }: VoteBounds, noise: Noise, radius: GraphRadius): boolean {
  const regions = regionsOf(noise, radius);
  return lowestAfter(regions, chosen) > highestAfter(regions, others);
}

/** Certifies nodes against changes of one matrix. What depends on the noise alone is made once for all nodes. */
export class RadiusGrid {
  private readonly noise: FlipNoise;
  private readonly regions = new Map<string, Region[]>();

  /**
   * Noise on the other matrix does not matter: the adversary leaves that matrix alone, so it is the same on both
   * graphs.
   */
  constructor(noise: Noise, target: Target) {
    this.noise = noise[target];
  }

  /** Walks along the border of the certified radii only: a larger radius is never certified if a smaller one is not. */
  of(bounds: VoteBounds): CertifiedRadii {
    const radii: number[] = [];
    let deletions = -1;
    while (deletions < LARGEST_RADIUS && this.certifies(bounds, { additions: 0, deletions: deletions + 1 }))
      deletions++;
    for (let additions = 0; additions <= LARGEST_RADIUS; additions++) {
      while (deletions >= 0 && !this.certifies(bounds, { additions, deletions })) deletions--;
      if (deletions < 0) break;
      radii.push(deletions);
    }
    return radii;
  }

  private certifies({ chosen, others }: VoteBounds, radius: Radius): boolean {
    const regions = this.regionsAt(radius);
    return lowestAfter(regions, chosen) > highestAfter(regions, others);
  }

  private regionsAt(radius: Radius): Region[] {
    const key = `${radius.additions} ${radius.deletions}`;
    const known = this.regions.get(key);
    if (known) return known;
    const still = { additions: 0, deletions: 0 };
    const made = regionsOf({ edges: this.noise, features: noNoise }, { edges: radius, features: still });
    this.regions.set(key, made);
    return made;
  }
}
