import type { Backend, Buffer } from "../backend.ts";
import { borrow } from "./borrow.ts";

/** Masks dY by the activation, then takes row dots of dZ with Y − bias. */
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

/** Computes the gradient of the rows of Y, then sums it into all rows with `places`. */
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

/** Masks dY by the activation, then multiplies by Wᵀ. */
export function reluGradProduct(parts: Backend): Backend["reluGradProduct"] {
  return (dX, dY, Y, W, { m, n, k, accumulate = false }) =>
    masked(parts, dY, Y, m * n, (dZ) => parts.matmul(dX, dZ, W, { m, n: k, k: n, transB: true, accumulate }));
}

/** The gradient of the product V = Y·W by Y, then that of Y = finish(Z). */
export function productFinishGrad(parts: Backend): Backend["productFinishGrad"] {
  return ({ dZ, dots, dV, W, Y, size: { m, n, k }, finish, above }) =>
    masked(parts, dV, above, m * n, (dV) => {
      parts.matmul(dZ, dV, W, { m, n: k, k: n, transB: true });
      parts.finishGrad({ dZ, dots, dY: dZ, Y, rows: m, cols: k, finish });
    });
}

/** Lends `use` a copy of `gradient` that is 0 where `above` is not above 0; without `above`, `gradient` itself. */
function masked(parts: Backend, gradient: Buffer, above: Buffer | null, size: number, use: (masked: Buffer) => void) {
  if (!above) return use(gradient);
  borrow(parts, "f32", size, (out) => {
    parts.unaryGrad("relu", out, gradient, above, above);
    use(out);
  });
}
