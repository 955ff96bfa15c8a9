import { check, ShapeError } from "../../core/errors.ts";
import { IntTensor } from "../int-tensor.ts";
import { record } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";
import { sub, tanh } from "./elementwise.ts";
import { argmaxRows, pick } from "./indexing.ts";
import { mean } from "./reductions.ts";

/** y_t = X_{t, column_t} − max of the other entries of row t. Which of them is the largest counts as fixed. */
export function margins(X: Tensor, column: IntTensor): Tensor {
  const { backend } = X;
  const [rows, cols] = checkMargins(X, column);
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

/** `factor` times the mean of the tanh of all {@link margins}. */
export function meanTanhMargin(X: Tensor, column: IntTensor, factor = 1): Tensor {
  const { backend } = X;
  const { tanhMargins, tanhMarginsGrad } = backend;
  if (!tanhMargins || !tanhMarginsGrad) return mean(tanh(margins(X, column)), factor);
  const [rows, cols] = checkMargins(X, column);
  const [y, tanhs] = [empty(backend, [1]), empty(backend, [rows])];
  const made = { tanhs: tanhs.buffer, rivals: new IntTensor(backend, backend.alloc("i32", rows)).buffer };
  tanhMargins(y.buffer, made, X.buffer, column.buffer, cols, factor / rows);
  return record(y, [X], (d) => [
    () => {
      const dX = empty(backend, X.shape);
      tanhMarginsGrad(dX.buffer, d.buffer, made, column.buffer, cols, factor / rows);
      return dX;
    },
  ]);
}

function checkMargins(X: Tensor, column: IntTensor): [rows: number, cols: number] {
  expectShape("margins", "X", X, [column.length, "f"]);
  const [rows, cols] = X.shape as [number, number];
  check(cols > 1, () => `margins: rows of ${cols} have no other entry`, ShapeError);
  column.expectBelow("margins", "columns", cols);
  return [rows, cols];
}
