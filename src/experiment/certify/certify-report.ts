import { certificatesOf, type SmoothedVotes } from "../../certify/certificates.ts";
import type { Target } from "../../certify/certified-radii.ts";
import { accumulated, type CertifiedShare, certifiedShares } from "../../certify/certified-shares.ts";
import type { Noise } from "../../graph/noise/noise.ts";

/** What certificates say about some nodes. */
export interface CertifiedNodes {
  /** Share of the nodes that the smoothed classifier classifies correctly. */
  readonly accuracy: number;
  /** Share of the nodes whose class is uncertain even without an adversary. */
  readonly abstained: number;
  /** Certified shares against changes of the edges, or of the features, summed over all radii. */
  readonly accumulated: Readonly<Record<Target, number>>;
  /** Share of the nodes that are correct and certified, at each radius; each certificate is about one node. */
  readonly certified: Readonly<Record<Target, readonly CertifiedShare[]>>;
  /**
   * The same with certificates that hold for all nodes at once: this share stays correct whatever one adversary does
   * within the radius in the whole graph. The level is divided among the nodes, which assumes nothing but that votes
   * are independent. At radius 0 it is the accuracy, as above.
   */
  readonly collective: Readonly<Record<Target, readonly CertifiedShare[]>>;
}

/** Certificates of labelled nodes from the votes on them. */
export function certifiedNodes(
  votes: SmoothedVotes,
  nodes: ArrayLike<number>,
  labels: Int32Array,
  options: { readonly noise: Noise; readonly alpha: number },
): CertifiedNodes {
  const alone = certificatesOf(votes, nodes, options);
  const atOnce = certificatesOf(votes, nodes, { ...options, atOnce: true });
  const certified = {
    edges: certifiedShares(alone, labels, "edges"),
    features: certifiedShares(alone, labels, "features"),
  };
  const uncertain = alone.filter(({ radii, chosen, winner }) => radii.edges.length === 0 || chosen !== winner);
  return {
    accuracy: certified.edges[0].share,
    abstained: uncertain.length / alone.length,
    accumulated: { edges: accumulated(certified.edges), features: accumulated(certified.features) },
    certified,
    collective: {
      edges: certifiedShares(atOnce, labels, "edges"),
      features: certifiedShares(atOnce, labels, "features"),
    },
  };
}
