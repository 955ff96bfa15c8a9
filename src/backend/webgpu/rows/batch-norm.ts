import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";

type Parts = Pick<Backend, "colDots" | "affineCols" | "affine" | "unary" | "binary">;

/** Batch normalisation, put together from kernels that a device runs at the speed of its memory. */
export function batchNorm(gpu: Gpu, on: Parts): Pick<Backend, "batchNorm" | "batchNormGrad"> {
  return {
    batchNorm(out, X, { mean, variance, gamma }, beta, epsilon, rows, cols) {
      gpu.borrow({ column: { f32: cols } }, ({ column }) => {
        on.colDots(mean, X, null, rows, cols);
        on.affine(mean, 1 / Math.max(rows, 1), mean, 0, null, 0);
        on.affine(column, -1, mean, 0, null, 0);
        on.affineCols(out, X, null, column, rows, cols); // centred: float32 keeps the variance of large values
        on.colDots(variance, out, out, rows, cols);
        on.affine(variance, 1 / Math.max(rows, 1), variance, 0, null, 0);
        on.affine(column, 1, variance, 0, null, epsilon);
        on.unary("rsqrt", column, column);
        on.binary("mul", column, column, gamma);
        on.affineCols(out, out, column, beta, rows, cols);
      });
    },
    batchNormGrad({ dX, dGamma, dBeta }, dY, X, { mean, variance, gamma }, epsilon, rows, cols) {
      const result = gpu.floats("batchNormGrad", "dX", dX, rows * cols).window(0, rows * cols);
      const scratch = { normalised: { f32: rows * cols }, inverse: { f32: cols }, column: { f32: cols } };
      gpu.borrow(scratch, ({ normalised, inverse, column }) => {
        on.affine(inverse, -1, mean, 0, null, 0);
        on.affineCols(normalised, X, null, inverse, rows, cols);
        on.affine(inverse, 1, variance, 0, null, epsilon);
        on.unary("rsqrt", inverse, inverse);
        on.affineCols(normalised, normalised, inverse, null, rows, cols);
        on.colDots(dBeta, dY, null, rows, cols);
        on.colDots(dGamma, dY, normalised, rows, cols);
        on.binary("mul", inverse, inverse, gamma);
        on.affineCols(dX, dY, inverse, null, rows, cols);
        on.binary("mul", column, inverse, dGamma);
        on.binary("mul", inverse, inverse, dBeta);
        on.affineCols(normalised, normalised, column, inverse, rows, cols); // γ/σ ∘ (dβ + x̂ ∘ dγ)
        on.affine(result, 1, result, -1 / Math.max(rows, 1), normalised, 0);
      });
    },
  };
}
