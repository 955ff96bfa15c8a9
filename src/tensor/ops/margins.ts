import { check, ShapeError } from "../../core/errors.ts";
import { IntTensor } from "../int-tensor.ts";
import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { empty, expectShape, filled, type Tensor } from "../tensor.ts";

interface Operands {
  readonly X: Tensor;
  readonly column: IntTensor;
}

export const MARGINS = new OpKind<Operands>("margins");
export const COUNT_CORRECT = new OpKind<Operands>("countCorrect");

/** y_t = X_{t, column_t} − max of the other entries of row t. The gradient keeps the choice of the largest fixed. */
export function margins(X: Tensor, column: IntTensor): Tensor {
  expectShape("margins", "X", X, [column.length, "f"]);
  const [rows, cols] = X.shape;
  check(cols > 1, () => `margins: rows of ${cols} have no other entry`, ShapeError);
  column.expectBelow("margins", "columns", cols);
  const { backend } = X;
  const rivals = new IntTensor(backend, backend.alloc("i32", rows));
  return defer({
    kind: MARGINS,
    operands: { X, column },
    backend,
    shape: [rows],
    inputs: [X],
    forward: (y) => backend.margins(y.buffer, rivals.buffer, X.buffer, column.buffer, cols),
    gradients: (dy) => [
      () => {
        const dX = empty(backend, X.shape);
        backend.marginsGrad(dX.buffer, dy.buffer, column.buffer, rivals.buffer, cols);
        return dX;
      },
    ],
  });
}

/** The number of rows whose largest entry (the first on ties) is in `column`, as one element. Its gradient is 0. */
export function countCorrect(X: Tensor, column: IntTensor): Tensor {
  expectShape("countCorrect", "X", X, [column.length, "f"]);
  const [rows, cols] = X.shape;
  const { backend } = X;
  return defer({
    kind: COUNT_CORRECT,
    operands: { X, column },
    backend,
    shape: [1],
    inputs: [X],
    forward: (out) => {
      const predicted = backend.alloc("i32", rows);
      backend.argmaxRows(predicted, X.buffer, rows, cols);
      backend.countEqual(out.buffer, predicted, column.buffer);
      backend.free(predicted);
    },
    gradients: () => [() => filled(backend, X.shape, 0)], // a count is flat almost everywhere
  });
}
