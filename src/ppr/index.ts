/**
 * Personalised PageRank: rows by push for graphs of any size, and exact by iteration on a device.
 *
 * @module rgnn/ppr
 */
export { type Neighbours, neighboursOf } from "../graph/push/neighbours.ts";
export type { PushOptions } from "../graph/push/push.ts";
export { type ExactOptions, type ExactPageRank, exactPageRank, type SymmetricSum } from "./exact.ts";
export { normaliseRows, type PprNormalisation } from "./normalise.ts";
export { pushDiffusion } from "./push-diffusion.ts";
export { type PushRowsOptions, pushRows, pushRowsOf } from "./push-rows.ts";
