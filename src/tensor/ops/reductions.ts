import { check, ShapeError } from "../../core/errors.ts";
import type { IntTensor } from "../int-tensor.ts";
import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { empty, type Tensor } from "../tensor.ts";

export const WEIGHTED_SUM = new OpKind<{ readonly X: Tensor; readonly weight: number }>("weightedSum");
const SUM_SQUARES = new OpKind("sumSquares");

/** Sum of all entries, as a tensor of one element. */
export function sum(X: Tensor): Tensor {
  return weightedSum(X, 1);
}

/** `factor` times the mean of all entries. */
export function mean(X: Tensor, factor = 1): Tensor {
  check(X.size > 0, () => "mean: the tensor is empty", ShapeError);
  return weightedSum(X, factor / X.size);
}

/** Sum of squares of all entries. */
export function sumSquares(X: Tensor): Tensor {
  const { backend } = X;
  return defer({
    kind: SUM_SQUARES,
    operands: {},
    backend,
    shape: [1],
    inputs: [X],
    forward: (y) => backend.dot(y.buffer, X.buffer, X.buffer),
    gradients: (dy) => [
      () => {
        const dX = broadcast(dy, X, 2); // 2·dy·X
        backend.binary("mul", dX.buffer, dX.buffer, X.buffer);
        return dX;
      },
    ],
  });
}

/** How many entries of two index vectors agree. Has no gradient. */
export function countEqual(A: IntTensor, B: IntTensor): Tensor {
  check(A.length === B.length, () => `countEqual: ${A.length} entries against ${B.length}`, ShapeError);
  const out = empty(A.backend, [1]);
  A.backend.countEqual(out.buffer, A.buffer, B.buffer);
  return out;
}

function weightedSum(X: Tensor, weight: number): Tensor {
  const { backend } = X;
  return defer({
    kind: WEIGHTED_SUM,
    operands: { X, weight },
    backend,
    shape: [1],
    inputs: [X],
    forward: (y) => {
      backend.dot(y.buffer, X.buffer, null);
      if (weight !== 1) backend.affine({ out: y.buffer, a: weight, A: y.buffer });
    },
    gradients: (dy) => [() => broadcast(dy, X, weight)],
  });
}

/** `weight` times the one element of `y`, in the shape of `X`: a product [size, 1]·[1, 1], without reading `y` back. */
function broadcast(y: Tensor, X: Tensor, weight: number): Tensor {
  const out = empty(X.backend, X.shape);
  X.backend.fill(out.buffer, weight);
  X.backend.affineCols({ out: out.buffer, X: out.buffer, scale: y.buffer, shift: null, rows: X.size, cols: 1 });
  return out;
}
