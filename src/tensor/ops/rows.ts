import type { Backend, Buffer } from "../../backend/backend.ts";
import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

const SCALE_ROWS = new OpKind("scaleRows");
export const SCALE_COLS = new OpKind<{ readonly X: Tensor; readonly s: Tensor }>("scaleCols", { isPure: true });
export const ADD_BIAS = new OpKind<{ readonly X: Tensor; readonly b: Tensor }>("addBias", { isPure: true });
const SOFTMAX = new OpKind("softmax");
const LOG_SOFTMAX = new OpKind("logSoftmax");

/** Y_ic = s_i · X_ic. */
export function scaleRows(X: Tensor, s: Tensor): Tensor {
  const [rows, cols] = matrixShape("scaleRows", X);
  expectShape("scaleRows", "s", s, [rows]);
  const { backend } = X;
  return defer({
    kind: SCALE_ROWS,
    operands: {},
    backend,
    shape: X.shape,
    inputs: [X, s],
    forward: (Y) => backend.scaleRows({ out: Y.buffer, X: X.buffer, scale: s.buffer, rows, cols }),
    gradients: (dY) => [
      () => written(X, (dX) => backend.scaleRows({ out: dX, X: dY.buffer, scale: s.buffer, rows, cols })),
      () => written(s, (ds) => backend.rowDots(ds, dY.buffer, X.buffer, rows, cols)),
    ],
  });
}

/** Y_ic = s_c · X_ic. */
export function scaleCols(X: Tensor, s: Tensor): Tensor {
  const [rows, cols] = matrixShape("scaleCols", X);
  expectShape("scaleCols", "s", s, [cols]);
  const { backend } = X;
  return defer({
    kind: SCALE_COLS,
    operands: { X, s },
    backend,
    shape: X.shape,
    inputs: [X, s],
    forward: (Y) => backend.affineCols({ out: Y.buffer, X: X.buffer, scale: s.buffer, shift: null, rows, cols }),
    gradients: (dY) => [
      () => written(X, (dX) => backend.affineCols({ out: dX, X: dY.buffer, scale: s.buffer, shift: null, rows, cols })),
      () => written(s, (ds) => backend.colDots(ds, dY.buffer, X.buffer, rows, cols)),
    ],
  });
}

/** Y_ic = X_ic + b_c. */
export function addBias(X: Tensor, b: Tensor): Tensor {
  const [rows, cols] = matrixShape("addBias", X);
  expectShape("addBias", "b", b, [cols]);
  const { backend } = X;
  return defer({
    kind: ADD_BIAS,
    operands: { X, b },
    backend,
    shape: X.shape,
    inputs: [X, b],
    forward: (Y) => backend.affineCols({ out: Y.buffer, X: X.buffer, scale: null, shift: b.buffer, rows, cols }),
    gradients: (dY) => [() => dY, () => columnSums(dY)],
  });
}

/** Gradient of a bias: y_c = Σ_i dY_ic. */
export function columnSums(dY: Tensor): Tensor {
  const [rows, cols] = dY.shape;
  const out = empty(dY.backend, [cols]);
  dY.backend.colDots(out.buffer, dY.buffer, null, rows, cols);
  return out;
}

/** Y_i = softmax of row i. */
export function softmax(X: Tensor): Tensor {
  return perRow(SOFTMAX, X, "softmaxRows", "softmaxRowsGrad");
}

/** Y_i = log softmax of row i. */
export function logSoftmax(X: Tensor): Tensor {
  return perRow(LOG_SOFTMAX, X, "logSoftmaxRows", "logSoftmaxRowsGrad");
}

type RowKernel = "softmaxRows" | "logSoftmaxRows";
type RowGradKernel = "softmaxRowsGrad" | "logSoftmaxRowsGrad";

function perRow(kind: OpKind<object>, X: Tensor, forward: RowKernel, grad: RowGradKernel): Tensor {
  const [rows, cols] = matrixShape(kind.name, X);
  const backend: Backend = X.backend;
  return defer({
    kind,
    operands: {},
    backend,
    shape: X.shape,
    inputs: [X],
    forward: (Y) => backend[forward](Y.buffer, X.buffer, rows, cols),
    gradients: (dY, Y) => [() => written(X, (dX) => backend[grad](dX, dY.buffer, Y.buffer, rows, cols))],
  });
}

/** A gradient of the shape of `X`, which `write` fills. */
function written(X: Tensor, write: (out: Buffer) => void): Tensor {
  const out = empty(X.backend, X.shape);
  write(out.buffer);
  return out;
}

function matrixShape(op: string, X: Tensor): [number, number] {
  expectShape(op, "X", X, ["n", "f"]);
  return X.shape as [number, number];
}
