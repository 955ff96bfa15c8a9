export { dropDissimilarEdges, jaccard } from "./jaccard.ts";
export { createJaccardGcn, type JaccardGcnConfig, jaccardGcnDefaults, jaccardGcnOptions } from "./jaccard-gcn.ts";
export type { NeighbourMatrix, RobustAggregate } from "./neighbour-matrix.ts";
export { Rgcn, type RgcnConfig, rgcnDefaults, rgcnOptions } from "./rgcn.ts";
export {
  createSoftMedianGdc,
  createSoftMedoidGdc,
  type RobustGdcConfig,
  robustStack,
  softMedianGdcDefaults,
  softMedianGdcOptions,
  softMedoidGdcDefaults,
  softMedoidGdcOptions,
} from "./robust-gdc.ts";
export { robustModels } from "./robust-models.ts";
export {
  createSoftMedianPprgo,
  createSoftMedoidPprgo,
  type RobustPprgoConfig,
  robustPprgoDefaults,
  robustPprgoOptions,
} from "./robust-pprgo.ts";
export { robustPresets } from "./robust-presets.ts";
export { softMedian } from "./soft-median.ts";
export { type SoftMedoidConfig, softMedoid } from "./soft-medoid.ts";
export { createSvdGcn, type SvdGcnConfig, svdGcnDefaults, svdGcnOptions } from "./svd-gcn.ts";
export { type RgcnTrainConfig, rgcnTrainDefaults, rgcnTrainOptions, trainRgcn } from "./train-rgcn.ts";
export { type TruncatedSvd, truncatedSvd } from "./truncated-svd.ts";
