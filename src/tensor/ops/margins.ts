import { check, ShapeError } from "../../core/errors.ts";
import { IntTensor } from "../int-tensor.ts";
import { record } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";
import { sub } from "./elementwise.ts";
import { argmaxRows, pick } from "./indexing.ts";

/** y_t = X_{t, column_t} − max of the other entries of row t. Which of them is the largest counts as fixed. */
export function margins(X: Tensor, column: IntTensor): Tensor {
  expectShape("margins", "X", X, [column.length, "f"]);
  const { backend } = X;
  const [rows, cols] = X.shape as [number, number];
  check(cols > 1, () => `margins: rows of ${cols} have no other entry`, ShapeError);
  column.expectBelow("margins", "columns", cols);
  const { margins, marginsGrad } = backend;
  if (!margins || !marginsGrad) return sub(pick(X, column), pick(X, argmaxRows(X, column)));
  const y = empty(backend, [rows]);
  const rivals = new IntTensor(backend, backend.alloc("i32", rows));
  margins(y.buffer, rivals.buffer, X.buffer, column.buffer, cols);
  return record(y, [X], (dy) => [
    () => {
      const dX = empty(backend, X.shape);
      marginsGrad(dX.buffer, dy.buffer, column.buffer, rivals.buffer, cols);
      return dX;
    },
  ]);
}
