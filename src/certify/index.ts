/**
 * Certificates by randomised smoothing: what no adversary can change, beside what attacks achieve.
 *
 * @module rgnn/certify
 */

export { CoinGraphs } from "../graph/noise/coin-graphs.ts";
export type { FlipNoise, Noise } from "../graph/noise/noise.ts";
export { noNoise } from "../graph/noise/noise.ts";
export { NoisyGraphs } from "../graph/noise/noisy-graphs.ts";
export { type CertificateOptions, certificatesOf, type NodeCertificate, type SmoothedVotes } from "./certificates.ts";
export { type CertifiedRadii, isCertified, LARGEST_RADIUS, type Target } from "./certified-radii.ts";
export { accumulated, type CertifiedShare, certifiedShares } from "./certified-shares.ts";
export { type Certification, type CertifyTask, certify } from "./certify.ts";
export { lowerBound, upperBound } from "./clopper-pearson.ts";
export { type GraphRadius, type Radius, type Region, regionsOf } from "./regions.ts";
export { type Counting, type VoteBounds, voteBounds } from "./vote-bounds.ts";
export { type Drawing, Voters } from "./voters.ts";
export { Votes } from "./votes.ts";
