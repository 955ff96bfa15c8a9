/**
 * Dense and sparse arrays on a device, reverse-mode gradients, and the ops that models, losses and attacks are written
 * in. Internals are imported from their own files.
 *
 * @module rgnn/tensor
 */
export { Constants } from "./fusion/constants.ts";
export { withoutFusion } from "./fusion/fuse.ts";
export {
  type DeviceFeatures,
  type DeviceGraph,
  type GraphView,
  hostGraph,
  toDevice,
  withFlips,
  withGraph,
} from "./graph-view.ts";
export { IntTensor } from "./int-tensor.ts";
export { defer, type Op } from "./op.ts";
export { type MixesRows, OpKind } from "./op-kind.ts";
export { type BatchStatistics, batchNorm } from "./ops/batch-norm.ts";
export { convolve } from "./ops/convolve.ts";
export { degrees } from "./ops/degrees.ts";
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
  rsqrt,
  sqrt,
  square,
  sub,
  tanh,
} from "./ops/elementwise.ts";
export { argmaxRows, gatherRows, pick } from "./ops/indexing.ts";
export { countCorrect, margins } from "./ops/margins.ts";
export { matmul } from "./ops/matmul.ts";
export { propagate } from "./ops/propagate.ts";
export { countEqual, mean, sum, sumSquares } from "./ops/reductions.ts";
export { addBias, logSoftmax, scaleCols, scaleRows, softmax } from "./ops/rows.ts";
export { spmm } from "./ops/spmm.ts";
export { type Block, layOver, type Overlay, relax } from "./overlay.ts";
export { type Disposable, keep, scope } from "./scope.ts";
export { SparseMatrix } from "./sparse-matrix.ts";
export { type GradThunk, type ValueAndGrad, valueAndGrad } from "./tape.ts";
export { empty, expectShape, filled, type Shape, Tensor, tensor, type Values } from "./tensor.ts";
