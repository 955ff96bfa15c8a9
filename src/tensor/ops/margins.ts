import { check, ShapeError } from "../../core/errors.ts";
import { IntTensor } from "../int-tensor.ts";
import { record } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";
import { sub, tanh } from "./elementwise.ts";
import { argmaxRows, pick } from "./indexing.ts";
import { countEqual, mean } from "./reductions.ts";

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

/** What {@link tanhMargins} tells about the rows of a matrix. */
export interface TanhMarginTotals {
  /** The mean of the tanh of all {@link margins}, times a factor. */
  readonly mean: Tensor;
  /** In how many rows the column has the largest entry, the first on ties. A constant. */
  correct(): Tensor;
}

/** The tanh of all {@link margins}: their mean times `factor`, and the number of those that are right. */
export function tanhMargins(X: Tensor, column: IntTensor, factor = 1): TanhMarginTotals {
  const { backend } = X;
  if (!backend.tanhMargins || !backend.tanhMarginsGrad) {
    return { mean: mean(tanh(margins(X, column)), factor), correct: () => countEqual(argmaxRows(X), column) };
  }
  const [rows, cols] = checkMargins(X, column);
  const y = empty(backend, [1]);
  const correct = empty(backend, [1]);
  const tanhs = empty(backend, [rows]);
  const made = { tanhs: tanhs.buffer, rivals: new IntTensor(backend, backend.alloc("i32", rows)).buffer };
  backend.tanhMargins(y.buffer, correct.buffer, made, X.buffer, column.buffer, cols, factor / rows);
  const back = (d: Tensor) => {
    const dX = empty(backend, X.shape);
    backend.tanhMarginsGrad!(dX.buffer, d.buffer, made, column.buffer, cols, factor / rows);
    return dX;
  };
  return { mean: record(y, [X], (d) => [() => back(d)]), correct: () => correct };
}

function checkMargins(X: Tensor, column: IntTensor): [rows: number, cols: number] {
  expectShape("margins", "X", X, [column.length, "f"]);
  const [rows, cols] = X.shape as [number, number];
  check(cols > 1, () => `margins: rows of ${cols} have no other entry`, ShapeError);
  column.expectBelow("margins", "columns", cols);
  return [rows, cols];
}
