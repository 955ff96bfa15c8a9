import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";

type Parts = Pick<Backend, "colDots" | "affineCols" | "affine" | "unary" | "binary">;

/** Batch normalisation, composed of kernels that are each as fast as the device's memory. */
export function batchNorm(gpu: Gpu, on: Parts): Pick<Backend, "batchNorm" | "batchNormGrad"> {
  return {
    batchNorm({ out, X, columns: { mean, variance, gamma }, beta, epsilon, rows, cols }) {
      gpu.borrow({ column: { f32: cols } }, ({ column }) => {
        on.colDots(mean, X, null, rows, cols);
        on.affine({ out: mean, a: 1 / Math.max(rows, 1), A: mean });
        on.affine({ out: column, a: -1, A: mean });
        // centred before squares are summed: float32 would lose the variance of large values
        on.affineCols({ out, X, scale: null, shift: column, rows, cols });
        on.colDots(variance, out, out, rows, cols);
        on.affine({ out: variance, a: 1 / Math.max(rows, 1), A: variance });
        on.affine({ out: column, a: 1, A: variance, c: epsilon });
        on.unary("rsqrt", column, column);
        on.binary("mul", column, column, gamma);
        on.affineCols({ out, X: out, scale: column, shift: beta, rows, cols });
      });
    },
    batchNormGrad({ grads: { dX, dGamma, dBeta }, dY, X, columns: { mean, variance, gamma }, epsilon, rows, cols }) {
      const result = gpu.floats("batchNormGrad", "dX", dX, rows * cols).window(0, rows * cols);
      const scratch = { normalised: { f32: rows * cols }, inverse: { f32: cols }, column: { f32: cols } };
      gpu.borrow(scratch, ({ normalised, inverse, column }) => {
        on.affine({ out: inverse, a: -1, A: mean });
        on.affineCols({ out: normalised, X, scale: null, shift: inverse, rows, cols });
        on.affine({ out: inverse, a: 1, A: variance, c: epsilon });
        on.unary("rsqrt", inverse, inverse);
        on.affineCols({ out: normalised, X: normalised, scale: inverse, shift: null, rows, cols });
        on.colDots(dBeta, dY, null, rows, cols);
        on.colDots(dGamma, dY, normalised, rows, cols);
        on.binary("mul", inverse, inverse, gamma);
        on.affineCols({ out: dX, X: dY, scale: inverse, shift: null, rows, cols });
        on.binary("mul", column, inverse, dGamma);
        on.binary("mul", inverse, inverse, dBeta);
        on.affineCols({ out: normalised, X: normalised, scale: column, shift: inverse, rows, cols }); // γ/σ ∘ (dβ + x̂ ∘ dγ)
        on.affine({ out: result, a: 1, A: result, b: -1 / Math.max(rows, 1), B: normalised });
      });
    },
  };
}
