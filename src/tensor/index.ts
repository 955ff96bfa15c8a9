export { EdgeFactors } from "./edge-factors.ts";
export { type DeviceFeatures, type DeviceGraph, type GraphView, toDevice, withFlips, withGraph } from "./graph-view.ts";
export { IntTensor } from "./int-tensor.ts";
export { MergedEdges } from "./merged-edges.ts";
export { type BatchStatistics, batchNorm } from "./ops/batch-norm.ts";
export { convolve } from "./ops/convolve.ts";
export { degreeScale, degrees } from "./ops/degrees.ts";
export { columnValues, type EntryPattern, edgeSoftmax, rowValues } from "./ops/edges.ts";
export {
  add,
  affine,
  div,
  dropout,
  elu,
  exp,
  leakyRelu,
  log,
  mul,
  reciprocal,
  relu,
  reluDropout,
  rsqrt,
  sqrt,
  square,
  sub,
  tanh,
} from "./ops/elementwise.ts";
export { argmaxRows, gatherRows, pick } from "./ops/indexing.ts";
export { type Finish, linear, UNFINISHED } from "./ops/linear.ts";
export { margins, tanhMargins } from "./ops/margins.ts";
export { matmul } from "./ops/matmul.ts";
export { propagate } from "./ops/propagate.ts";
export { countEqual, mean, sum, sumSquares } from "./ops/reductions.ts";
export { addBias, logSoftmax, scaleCols, scaleRows, softmax } from "./ops/rows.ts";
export { spmm } from "./ops/spmm.ts";
export { type Block, gradientOf, layOver, layOverAll, type Overlay, relax } from "./overlay.ts";
export { PairGradient } from "./pair-gradient.ts";
export { keep, scope } from "./scope.ts";
export { SparseMatrix } from "./sparse-matrix.ts";
export { type GradThunk, record, valueAndGrad } from "./tape.ts";
export { empty, expectShape, filled, type Shape, Tensor, tensor, type Values } from "./tensor.ts";
