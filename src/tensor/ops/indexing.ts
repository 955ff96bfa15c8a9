import { IntTensor } from "../int-tensor.ts";
import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { empty, expectShape, filled, type Tensor } from "../tensor.ts";

export const GATHER_ROWS = new OpKind<{ readonly X: Tensor; readonly index: IntTensor }>("gatherRows");
const PICK = new OpKind("pick");

/** Y_t = X_{index_t}: some rows of a matrix, such as those of the training nodes. */
export function gatherRows(X: Tensor, index: IntTensor): Tensor {
  expectShape("gatherRows", "X", X, ["n", "f"]);
  const [rows, cols] = X.shape;
  index.expectBelow("gatherRows", "rows", rows);
  const { backend } = X;
  return defer({
    kind: GATHER_ROWS,
    operands: { X, index },
    backend,
    shape: [index.length, cols],
    inputs: [X],
    forward: (Y) => backend.gatherRows(Y.buffer, X.buffer, index.buffer, cols),
    gradients: (dY) => [
      () => {
        const dX = empty(backend, X.shape);
        backend.spmm(dX.buffer, index.placesIn(rows), dY.buffer, cols);
        return dX;
      },
    ],
  });
}

/** y_t = X_{t, column_t}: one entry of each row, such as the logit of the true class. */
export function pick(X: Tensor, column: IntTensor): Tensor {
  expectShape("pick", "X", X, [column.length, "f"]);
  const cols = X.shape[1];
  column.expectBelow("pick", "columns", cols);
  const { backend } = X;
  return defer({
    kind: PICK,
    operands: {},
    backend,
    shape: [column.length],
    inputs: [X],
    forward: (y) => backend.pick(y.buffer, X.buffer, column.buffer, cols),
    gradients: (dy) => [
      () => {
        const dX = filled(backend, X.shape, 0);
        backend.pickGrad(dX.buffer, dy.buffer, column.buffer, cols);
        return dX;
      },
    ],
  });
}

/** Column of the largest entry of each row i, leaving out column `exclude_i`. Has no gradient. */
export function argmaxRows(X: Tensor, exclude?: IntTensor): IntTensor {
  expectShape("argmaxRows", "X", X, ["n", "f"]);
  const [rows, cols] = X.shape;
  const out = new IntTensor(X.backend, X.backend.alloc("i32", rows));
  X.backend.argmaxRows(out.buffer, X.buffer, rows, cols, exclude?.buffer);
  return out;
}
