export { type Neighbours, neighboursOf } from "../graph/push/neighbours.ts";
export { push, type SparseRow } from "../graph/push/push.ts";
export { DenseWorkspace, HashWorkspace, type PushWorkspace } from "../graph/push/push-workspace.ts";
export { stackRows, topKRow } from "../graph/push/top-k-rows.ts";
export { type ExactOptions, type ExactPageRank, exactPageRank, type SymmetricSum } from "./exact.ts";
export { divideByRowSums, normaliseByColumnSums, normaliseRows, type PprNormalisation } from "./normalise.ts";
export { pushDiffusion } from "./push-diffusion.ts";
export { type PushRowsOptions, pushRows, pushRowsOf } from "./push-rows.ts";
export { allPushedRows } from "./pushed-rows.ts";
