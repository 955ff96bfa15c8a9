export { type ExactOptions, type ExactPageRank, exactPageRank, type SymmetricSum } from "./exact.ts";
export { type Neighbours, neighboursOf } from "./neighbours.ts";
export { divideByRowSums, normaliseByColumnSums, normaliseRows, type PprNormalisation } from "./normalise.ts";
export { push, type SparseRow } from "./push.ts";
export { pushDiffusion } from "./push-diffusion.ts";
export { type PushRowsOptions, pushRows, pushRowsOf } from "./push-rows.ts";
export { DenseWorkspace, HashWorkspace, type PushWorkspace } from "./push-workspace.ts";
export { PushedRows } from "./pushed-rows.ts";
export { stackRows, topKRow } from "./top-k-rows.ts";
