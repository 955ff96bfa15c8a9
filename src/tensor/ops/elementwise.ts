import type { Binary, Unary } from "../../backend/backend.ts";
import type { Key } from "../../core/philox.ts";
import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { spare } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

export const UNARY = new OpKind<{ readonly f: Unary; readonly X: Tensor }>("unary", { isPure: true });
const BINARY = new OpKind("binary", { isPure: true });
export const AFFINE = new OpKind<{ readonly X: Tensor; readonly a: number; readonly c: number }>("affine", {
  isPure: true,
});
export const DROPOUT = new OpKind<{ readonly X: Tensor; readonly rate: number; readonly key: Key }>("dropout");

/** max(x, 0). */
export const relu = unary("relu");
/** Slope 0.2 below zero, as in graph attention. */
export const leakyRelu = unary("leakyRelu");
/** x where x > 0, else eˣ − 1. */
export const elu = unary("elu");
/** Hyperbolic tangent. */
export const tanh = unary("tanh");
/** eˣ. */
export const exp = unary("exp");
/** Natural logarithm. */
export const log = unary("log");
/** √x. */
export const sqrt = unary("sqrt");
/** x^(−1/2), and 0 at 0: the normalisation of an isolated node. */
export const rsqrt = unary("rsqrt");
/** 1 / x, and 0 at 0. */
export const reciprocal = unary("reciprocal");
/** x². */
export const square = unary("square");

function unary(f: Unary): (X: Tensor) => Tensor {
  return (X) => {
    const { backend } = X;
    return defer({
      kind: UNARY,
      operands: { f, X },
      backend,
      shape: X.shape,
      inputs: [X],
      forward: (Y) => backend.unary(f, Y.buffer, X.buffer),
      gradients: (dY, Y) => [
        () => {
          const dX = spare(dY);
          backend.unaryGrad(f, dX.buffer, dY.buffer, X.buffer, Y.buffer);
          return dX;
        },
      ],
    });
  };
}

/** X if `Y` is pending and will be computed as f(X), else null. */
export function argumentOf(f: Unary, Y: Tensor): Tensor | null {
  const operands = UNARY.of(Y);
  return operands?.f === f ? operands.X : null;
}

/** A + B, entry by entry. */
export function add(A: Tensor, B: Tensor): Tensor {
  return binary("add", A, B, (dY) => [() => dY, () => dY]);
}

/** A − B, entry by entry. */
export function sub(A: Tensor, B: Tensor): Tensor {
  return binary("sub", A, B, (dY) => [() => dY, () => scaled(dY, -1)]);
}

/** A · B, entry by entry. */
export function mul(A: Tensor, B: Tensor): Tensor {
  return binary("mul", A, B, (dY) => [() => combined("mul", dY, B), () => combined("mul", dY, A)]);
}

/** A / B, entry by entry. */
export function div(A: Tensor, B: Tensor): Tensor {
  return binary("div", A, B, (dY, Y) => [
    () => combined("div", dY, B),
    () => scaled(combined("div", combined("mul", dY, Y), B), -1), // ∂(a/b)/∂b = −y/b
  ]);
}

function binary(
  f: Binary,
  A: Tensor,
  B: Tensor,
  gradients: (dY: Tensor, Y: Tensor) => readonly (() => Tensor)[],
): Tensor {
  expectShape(f, "B", B, A.shape);
  const { backend } = A;
  return defer({
    kind: BINARY,
    operands: { f, A, B },
    backend,
    shape: A.shape,
    inputs: [A, B],
    forward: (Y) => backend.binary(f, Y.buffer, A.buffer, B.buffer),
    gradients,
  });
}

/** a·X + c. */
export function affine(X: Tensor, a: number, c = 0): Tensor {
  const { backend } = X;
  return defer({
    kind: AFFINE,
    operands: { X, a, c },
    backend,
    shape: X.shape,
    inputs: [X],
    forward: (Y) => backend.affine({ out: Y.buffer, a, A: X.buffer, c }),
    gradients: (dY) => [() => (a === 1 ? dY : scaled(dY, a))],
  });
}

/** Zeroes entries with probability `rate` and scales the others by 1 / (1 − rate). */
export function dropout(X: Tensor, rate: number, key: Key): Tensor {
  if (rate === 0) return X;
  const { backend } = X;
  return defer({
    kind: DROPOUT,
    operands: { X, rate, key },
    backend,
    shape: X.shape,
    inputs: [X],
    forward: (Y) => backend.dropout(Y.buffer, X.buffer, rate, key),
    gradients: (dY) => [
      () => {
        const dX = spare(dY); // the same key draws the same mask
        backend.dropout(dX.buffer, dY.buffer, rate, key);
        return dX;
      },
    ],
  });
}

/** A gradient: A ∘ B, computed at once. */
function combined(f: Binary, A: Tensor, B: Tensor): Tensor {
  const out = empty(A.backend, A.shape);
  A.backend.binary(f, out.buffer, A.buffer, B.buffer);
  return out;
}

/** A gradient: a·X, computed at once. */
function scaled(X: Tensor, a: number): Tensor {
  const out = empty(X.backend, X.shape);
  X.backend.affine({ out: out.buffer, a, A: X.buffer });
  return out;
}
