/**
 * Personalised PageRank: rows by push for graphs of any size, and exact by iteration on a device.
 *
 * @module rgnn/ppr
 */
export { type Neighbours, neighboursOf } from "../graph/push/neighbours.ts";
export type { PushOptions, SparseRow } from "../graph/push/push.ts";
export { HashWorkspace, type PushWorkspace } from "../graph/push/push-workspace.ts";
export { type ExactOptions, type ExactPageRank, exactPageRank, type SymmetricSum } from "./exact.ts";
export { expectedColumns } from "./expected-columns.ts";
export { normaliseRows, type PprNormalisation } from "./normalise.ts";
export { pushDiffusion } from "./push-diffusion.ts";
export { type PushRowsOptions, pushRows, pushRowsOf } from "./push-rows.ts";
export {
  type DenominatorGradient,
  type RowChange,
  type SlottedRows,
  type UpdatedPageRank,
  updatePageRank,
} from "./row-update.ts";
export { type PushNodes, RowsOnDemand, type RowsOnDemandOptions } from "./rows-on-demand.ts";
