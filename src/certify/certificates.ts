import { check } from "../core/errors.ts";
import type { Noise } from "../graph/noise/noise.ts";
import { type CertifiedRadii, RadiusGrid, type Target } from "./certified-radii.ts";
import { voteBounds } from "./vote-bounds.ts";
import type { Votes } from "./votes.ts";

/** The votes of one model: those that choose a class for each node, and those, over other noisy graphs, that bound its probability. */
export interface SmoothedVotes {
  readonly choosing: Votes;
  readonly bounding: Votes;
}

/** What certificates are made with, besides votes. */
export interface CertificateOptions {
  readonly noise: Noise;
  /** How often a certificate may be wrong. */
  readonly alpha: number;
  /** Divides `alpha` among the nodes, so that all certificates hold at once. */
  readonly atOnce?: boolean;
}

/** The certificates of one node. */
export interface NodeCertificate {
  readonly node: number;
  /** The class that certificates are about. */
  readonly chosen: number;
  /** The class with the most votes, which the smoothed classifier returns. */
  readonly winner: number;
  readonly radii: Readonly<Record<Target, CertifiedRadii>>;
}

/**
 * Certificates of nodes from votes (Bojchevski et al. 2020): whatever an adversary adds and deletes within a node's
 * radii, anywhere in the graph, the smoothed classifier gives the node the same class. Each certificate is wrong with a
 * probability of at most `alpha`, over the randomness of the votes.
 */
export function certificatesOf(
  { choosing, bounding }: SmoothedVotes,
  nodes: ArrayLike<number>,
  { noise, alpha, atOnce = false }: CertificateOptions,
): NodeCertificate[] {
  check(alpha > 0 && alpha < 1, () => `certificates: alpha must be between 0 and 1, got ${alpha}`);
  const { samples, numClasses } = bounding;
  const counting = { samples, numClasses, alpha: atOnce ? alpha / nodes.length : alpha };
  const edges = new RadiusGrid(noise, "edges");
  const features = new RadiusGrid(noise, "features");
  const known = new Map<string, NodeCertificate["radii"]>(); // nodes with the same votes have the same radii
  const radiiOf = (votes: number, others: number) => {
    const key = `${votes} ${others}`;
    const bounds = known.has(key) ? null : voteBounds(votes, others, counting);
    if (bounds) known.set(key, { edges: edges.of(bounds), features: features.of(bounds) });
    return known.get(key)!;
  };
  return Array.from(nodes, (node) => {
    const chosen = choosing.winner(node);
    const radii = radiiOf(bounding.of(node, chosen), bounding.strongestOther(node, chosen));
    return { node, chosen, winner: bounding.winner(node), radii };
  });
}
