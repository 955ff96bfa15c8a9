import type { Backend, Buffer } from "../backend.ts";
import { borrow } from "./borrow.ts";

/** The mask of the activation, then the products of rows with what the activation was given. */
export function finishGrad(parts: Backend): Backend["finishGrad"] {
  return ({ dZ, dots, dY, Y, rows, cols, finish: { bias, relu = false } }) => {
    const gradient = parts.view(relu ? dZ : dY, 0, rows * cols);
    if (relu) parts.unaryGrad("relu", gradient, dY, Y, Y);
    parts.rowDots(dots, gradient, Y, rows, cols);
    if (!bias) return;
    borrow(parts, "f32", rows, (shift) => {
      parts.matmul(shift, gradient, bias, { m: rows, n: 1, k: cols }); // Σ_c dZ_ic · bias_c
      const sums = parts.view(dots, 0, rows);
      parts.affine({ out: sums, a: 1, A: sums, b: -1, B: shift });
    });
  };
}

/** Of the rows that are there, then in their places. */
export function finishGradRows(parts: Backend): Backend["finishGradRows"] {
  return ({ dZ, dots, dY, Y, places, cols, finish }) => {
    const rows = places.numCols;
    borrow(parts, "f32", rows, (rowDots) =>
      borrow(parts, "f32", finish.relu ? rows * cols : 0, (masked) => {
        parts.finishGrad({ dZ: masked, dots: rowDots, dY, Y, rows, cols, finish });
        parts.spmm(dZ, places, finish.relu ? masked : dY, cols);
        parts.spmm(dots, places, rowDots, 1);
      }),
    );
  };
}

/** The mask of the activation, then the product. */
export function reluGradProduct(parts: Backend): Backend["reluGradProduct"] {
  return (dX, dY, Y, W, { m, n, k, accumulate = false }) =>
    masked(parts, dY, Y, m * n, (dZ) => parts.matmul(dX, dZ, W, { m, n: k, k: n, transB: true, accumulate }));
}

/** The product, then what comes before it. */
export function productFinishGrad(parts: Backend): Backend["productFinishGrad"] {
  return ({ dZ, dots, dV, W, Y, size: { m, n, k }, finish, above }) =>
    masked(parts, dV, above, m * n, (dV) => {
      parts.matmul(dZ, dV, W, { m, n: k, k: n, transB: true });
      parts.finishGrad({ dZ, dots, dY: dZ, Y, rows: m, cols: k, finish });
    });
}

/** `gradient` where `above` is above 0, else 0, for the time of `use`; all of it without `above`. */
function masked(parts: Backend, gradient: Buffer, above: Buffer | null, size: number, use: (masked: Buffer) => void) {
  if (!above) return use(gradient);
  borrow(parts, "f32", size, (out) => {
    parts.unaryGrad("relu", out, gradient, above, above);
    use(out);
  });
}
