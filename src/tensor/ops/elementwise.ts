import type { Binary, Unary } from "../../backend/backend.ts";
import type { Key } from "../../core/philox.ts";
import { record } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

export const relu = unary("relu");
/** Slope 0.2 below zero, as in graph attention. */
export const leakyRelu = unary("leakyRelu");
export const elu = unary("elu");
export const tanh = unary("tanh");
export const exp = unary("exp");
export const log = unary("log");
export const sqrt = unary("sqrt");
/** x^(−1/2), and 0 at 0: the normalisation of an isolated node. */
export const rsqrt = unary("rsqrt");
/** 1 / x, and 0 at 0. */
export const reciprocal = unary("reciprocal");
export const square = unary("square");

function unary(kind: Unary): (X: Tensor) => Tensor {
  return (X) => {
    const { backend } = X;
    const Y = empty(backend, X.shape);
    backend.unary(kind, Y.buffer, X.buffer);
    return record(Y, [X], (dY, isFree) => [
      () => {
        const dX = isFree ? dY : empty(backend, X.shape);
        backend.unaryGrad(kind, dX.buffer, dY.buffer, X.buffer, Y.buffer);
        return dX;
      },
    ]);
  };
}

export function add(A: Tensor, B: Tensor): Tensor {
  return record(combine("add", A, B), [A, B], (dY) => [() => dY, () => dY]);
}

export function sub(A: Tensor, B: Tensor): Tensor {
  return record(combine("sub", A, B), [A, B], (dY) => [() => dY, () => linear(dY, -1, 0)]);
}

/** Entry by entry. */
export function mul(A: Tensor, B: Tensor): Tensor {
  return record(combine("mul", A, B), [A, B], (dY) => [() => combine("mul", dY, B), () => combine("mul", dY, A)]);
}

/** Entry by entry. */
export function div(A: Tensor, B: Tensor): Tensor {
  const Y = combine("div", A, B);
  return record(Y, [A, B], (dY) => [
    () => combine("div", dY, B),
    () => linear(combine("div", combine("mul", dY, Y), B), -1, 0), // ∂(a/b)/∂b = −y/b
  ]);
}

/** a·X + c. */
export function affine(X: Tensor, a: number, c = 0): Tensor {
  return record(linear(X, a, c), [X], (dY) => [() => (a === 1 ? dY : linear(dY, a, 0))]);
}

/** Zeroes entries with probability `rate` and scales the others by 1 / (1 − rate). */
export function dropout(X: Tensor, rate: number, key: Key): Tensor {
  if (rate === 0) return X;
  const mask = (out: Tensor, V: Tensor) => {
    V.backend.dropout(out.buffer, V.buffer, rate, key);
    return out;
  };
  const like = (V: Tensor) => empty(V.backend, V.shape);
  return record(mask(like(X), X), [X], (dY, isFree) => [() => mask(isFree ? dY : like(dY), dY)]);
}

/** `dropout(relu(X))` in one pass; its gradient reads the mask off the result, so that nothing is drawn again. */
export function reluDropout(X: Tensor, rate: number, key: Key): Tensor {
  if (rate === 0) return relu(X);
  const { backend } = X;
  const Y = empty(backend, X.shape);
  backend.reluDropout(Y.buffer, X.buffer, rate, key);
  return record(Y, [X], (dY, isFree) => [
    () => {
      const dX = isFree ? dY : empty(backend, X.shape);
      backend.reluDropoutGrad(dX.buffer, dY.buffer, Y.buffer, rate);
      return dX;
    },
  ]);
}

function combine(kind: Binary, A: Tensor, B: Tensor): Tensor {
  expectShape(kind, "B", B, A.shape);
  const out = empty(A.backend, A.shape);
  A.backend.binary(kind, out.buffer, A.buffer, B.buffer);
  return out;
}

function linear(X: Tensor, a: number, c: number): Tensor {
  const out = empty(X.backend, X.shape);
  X.backend.affine(out.buffer, a, X.buffer, 0, null, c);
  return out;
}
