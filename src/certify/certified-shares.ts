import type { NodeCertificate } from "./certificates.ts";
import type { Target } from "./certified-radii.ts";

/** The share of nodes that are certified to stay right at one radius. */
export interface CertifiedShare {
  readonly additions: number;
  readonly deletions: number;
  readonly share: number;
}

/**
 * The share of nodes that are classified correctly and certified, at every radius at which some node is. At radius 0 it
 * is the accuracy of the smoothed classifier, as in the published tables.
 */
export function certifiedShares(
  certificates: readonly NodeCertificate[],
  labels: Int32Array,
  target: Target,
): CertifiedShare[] {
  const correct = certificates.filter(({ node, winner }) => labels[node] === winner);
  const share = (count: number) => count / certificates.length;
  const shares = [{ additions: 0, deletions: 0, share: share(correct.length) }];
  const certified = correct.filter(({ winner, chosen }) => winner === chosen).map(({ radii }) => radii[target]);
  const most = certified.reduce((longest, radii) => Math.max(longest, radii.length), 0);
  for (let additions = 0; additions < most; additions++) {
    const deletions = certified.flatMap((radii) => (additions < radii.length ? [radii[additions]] : []));
    const largest = deletions.reduce((a, b) => Math.max(a, b), 0);
    for (let d = additions === 0 ? 1 : 0; d <= largest; d++) {
      shares.push({ additions, deletions: d, share: share(deletions.filter((radius) => radius >= d).length) });
    }
  }
  return shares;
}

/** The accumulated certificate: the sum of the certified shares at all radii but 0. */
export function accumulated(shares: readonly CertifiedShare[]): number {
  const beyond = shares.filter(({ additions, deletions }) => additions + deletions > 0);
  return beyond.reduce((sum, { share }) => sum + share, 0);
}

/** What an adversary may do with a budget of changes. */
export type Allowed = "additions" | "deletions" | "both";

/**
 * The share of nodes that are right and stay so whatever an adversary does with a budget, however it is divided into additions and
 * deletions.
 */
export function certifiedWithin(
  certificates: readonly NodeCertificate[],
  labels: Int32Array,
  target: Target,
  { budget, allowed }: { readonly budget: number; readonly allowed: Allowed },
): number {
  const fewest = allowed === "additions" ? budget : 0;
  const most = allowed === "deletions" ? 0 : budget;
  const holds = ({ node, chosen, winner, radii }: NodeCertificate) => {
    if (labels[node] !== winner || winner !== chosen) return false;
    for (let additions = fewest; additions <= most; additions++) {
      if ((radii[target][additions] ?? -1) < budget - additions) return false;
    }
    return true;
  };
  return certificates.filter(holds).length / certificates.length;
}
