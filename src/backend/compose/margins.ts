import type { Backend, Buffer } from "../backend.ts";
import { borrow } from "./borrow.ts";

/** Finds the largest other entry of each row, then subtracts it. */
export function margins(parts: Backend): Backend["margins"] {
  return (out, rivals, X, column, cols) => {
    const rows = column.length;
    const own = parts.view(out, 0, rows);
    parts.argmaxRows(rivals, X, rows, cols, column);
    parts.pick(own, X, column, cols);
    borrow(parts, "f32", rows, (other) => {
      parts.pick(other, X, parts.view(rivals, 0, rows), cols);
      parts.binary("sub", own, own, other);
    });
  };
}

/** The entry in question gets x_t, its rival −x_t. */
export function marginsGrad(parts: Backend): Backend["marginsGrad"] {
  return (dX, x, column, rivals, cols) => {
    const rows = column.length;
    parts.fill(parts.view(dX, 0, rows * cols), 0);
    parts.pickGrad(dX, x, column, cols);
    borrow(parts, "f32", rows, (opposite) => {
      parts.affine({ out: opposite, a: -1, A: x });
      parts.pickGrad(dX, opposite, parts.view(rivals, 0, rows), cols);
    });
  };
}

export function tanhMargins(parts: Backend): Backend["tanhMargins"] {
  return ({ out, correct, saved: { tanhs, rivals }, X, column, cols, factor }) => {
    const rows = column.length;
    const values = parts.view(tanhs, 0, rows);
    const total = parts.view(out, 0, 1);
    parts.margins(values, rivals, X, column, cols);
    parts.unary("tanh", values, values);
    parts.dot(total, values, null);
    parts.affine({ out: total, a: factor, A: total });
    borrow(parts, "i32", rows, (predicted) => {
      parts.argmaxRows(predicted, X, rows, cols);
      parts.countEqual(correct, predicted, column);
    });
  };
}

/** The gradient by the margins is d·factor·(1 − tanh²). */
export function tanhMarginsGrad(parts: Backend): Backend["tanhMarginsGrad"] {
  return ({ dX, d, saved: { tanhs, rivals }, column, cols, factor }) => {
    const rows = column.length;
    borrow(parts, "f32", rows, (slopes: Buffer) => {
      const values = parts.view(tanhs, 0, rows);
      parts.unary("square", slopes, values);
      parts.affine({ out: slopes, a: -factor, A: slopes, c: factor });
      parts.affineCols({ out: slopes, X: slopes, scale: d, shift: null, rows, cols: 1 });
      parts.marginsGrad(dX, slopes, column, rivals, cols);
    });
  };
}
