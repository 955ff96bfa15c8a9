import { record } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

/** Y_ic = s_i · X_ic. */
export function scaleRows(X: Tensor, s: Tensor): Tensor {
  const [rows, cols] = matrixShape("scaleRows", X);
  expectShape("scaleRows", "s", s, [rows]);
  const { backend } = X;
  const scaled = (V: Tensor) => {
    const out = empty(backend, V.shape);
    backend.scaleRows(out.buffer, V.buffer, s.buffer, rows, cols);
    return out;
  };
  return record(scaled(X), [X, s], (dY) => [() => scaled(dY), () => rowDots(dY, X)]);
}

/** Y_ic = s_c · X_ic. */
export function scaleCols(X: Tensor, s: Tensor): Tensor {
  const [rows, cols] = matrixShape("scaleCols", X);
  expectShape("scaleCols", "s", s, [cols]);
  const { backend } = X;
  const scaled = (V: Tensor) => {
    const out = empty(backend, V.shape);
    backend.affineCols(out.buffer, V.buffer, s.buffer, null, rows, cols);
    return out;
  };
  return record(scaled(X), [X, s], (dY) => [() => scaled(dY), () => colDots(dY, X)]);
}

/** Y_ic = X_ic + b_c. */
export function addBias(X: Tensor, b: Tensor): Tensor {
  const [rows, cols] = matrixShape("addBias", X);
  expectShape("addBias", "b", b, [cols]);
  const { backend } = X;
  const Y = empty(backend, X.shape);
  backend.affineCols(Y.buffer, X.buffer, null, b.buffer, rows, cols);
  return record(Y, [X, b], (dY) => [() => dY, () => colDots(dY, null)]);
}

/** Y_i = softmax of row i. */
export function softmax(X: Tensor): Tensor {
  const [rows, cols] = matrixShape("softmax", X);
  const { backend } = X;
  const Y = empty(backend, X.shape);
  backend.softmaxRows(Y.buffer, X.buffer, rows, cols);
  return record(Y, [X], (dY) => [
    () => {
      const dX = empty(backend, X.shape);
      backend.softmaxRowsGrad(dX.buffer, dY.buffer, Y.buffer, rows, cols);
      return dX;
    },
  ]);
}

/** Y_i = log softmax of row i. */
export function logSoftmax(X: Tensor): Tensor {
  const [rows, cols] = matrixShape("logSoftmax", X);
  const { backend } = X;
  const Y = empty(backend, X.shape);
  backend.logSoftmaxRows(Y.buffer, X.buffer, rows, cols);
  return record(Y, [X], (dY) => [
    () => {
      const dX = empty(backend, X.shape);
      backend.logSoftmaxRowsGrad(dX.buffer, dY.buffer, Y.buffer, rows, cols);
      return dX;
    },
  ]);
}

/** y_i = Σ_c A_ic · B_ic; not recorded. */
function rowDots(A: Tensor, B: Tensor): Tensor {
  const [rows, cols] = A.shape as [number, number];
  const out = empty(A.backend, [rows]);
  A.backend.rowDots(out.buffer, A.buffer, B.buffer, rows, cols);
  return out;
}

/** y_c = Σ_i A_ic · B_ic, or Σ_i A_ic; not recorded. */
function colDots(A: Tensor, B: Tensor | null): Tensor {
  const [rows, cols] = A.shape as [number, number];
  const out = empty(A.backend, [cols]);
  A.backend.colDots(out.buffer, A.buffer, B?.buffer ?? null, rows, cols);
  return out;
}

function matrixShape(op: string, X: Tensor): [number, number] {
  expectShape(op, "X", X, ["n", "f"]);
  return X.shape as [number, number];
}
