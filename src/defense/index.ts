/**
 * Models that are more robust to flipped edges: they aggregate robustly, or purify the graph first.
 *
 * @module rgnn/defense
 */
export type { TopKMatrix } from "../nn/diffusion/top-k-matrix.ts";
export { dropDissimilarEdges } from "./jaccard.ts";
export { createJaccardGcn, type JaccardGcnConfig, jaccardGcnDefaults } from "./jaccard-gcn.ts";
export type { NeighbourMatrix, RobustAggregate } from "./neighbour-matrix.ts";
export { Rgcn, type RgcnConfig, rgcnDefaults } from "./rgcn.ts";
export {
  createSoftMedianGdc,
  createSoftMedoidGdc,
  type RobustGdcConfig,
  robustStack,
  softMedianGdcDefaults,
  softMedoidGdcDefaults,
} from "./robust-gdc.ts";
export { robustModels } from "./robust-models.ts";
export {
  createSoftMedianPprgo,
  createSoftMedoidPprgo,
  type RobustPprgoConfig,
  robustPprgoDefaults,
} from "./robust-pprgo.ts";
export { robustPresets } from "./robust-presets.ts";
export { softMedian } from "./soft-median.ts";
export { type SoftMedoidConfig, softMedoid } from "./soft-medoid.ts";
export { createSvdGcn, type SvdGcnConfig, svdGcnDefaults } from "./svd-gcn.ts";
export { type RgcnTrainConfig, rgcnTrainDefaults, trainRgcn } from "./train-rgcn.ts";
