import { record } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

export interface BatchStatistics {
  readonly mean: Tensor;
  /** Divided by n, as the normalisation uses it. */
  readonly variance: Tensor;
}

/**
 * Batch normalisation over rows: `Y = γ ∘ (X − mean) / √(variance + epsilon) + β` with the statistics of the columns of
 * `X`, which come back too because running averages need them.
 */
export function batchNorm(X: Tensor, gamma: Tensor, beta: Tensor, epsilon: number): { Y: Tensor } & BatchStatistics {
  expectShape("batchNorm", "X", X, ["n", "f"]);
  const [rows, cols] = X.shape as [number, number];
  expectShape("batchNorm", "gamma", gamma, [cols]);
  expectShape("batchNorm", "beta", beta, [cols]);
  const { backend } = X;
  const column = () => empty(backend, [cols]);

  const mean = column();
  backend.colDots(mean.buffer, X.buffer, null, rows, cols);
  backend.affine(mean.buffer, 1 / rows, mean.buffer, 0, null, 0);
  const negated = column();
  backend.affine(negated.buffer, -1, mean.buffer, 0, null, 0);
  const normalised = empty(backend, X.shape); // centred first: the variance of large values needs it in float32
  backend.affineCols(normalised.buffer, X.buffer, null, negated.buffer, rows, cols);
  const variance = column();
  backend.colDots(variance.buffer, normalised.buffer, normalised.buffer, rows, cols);
  backend.affine(variance.buffer, 1 / rows, variance.buffer, 0, null, 0);
  const inverse = column(); // 1 / standard deviation
  backend.affine(inverse.buffer, 1, variance.buffer, 0, null, epsilon);
  backend.unary("rsqrt", inverse.buffer, inverse.buffer);
  backend.affineCols(normalised.buffer, normalised.buffer, inverse.buffer, null, rows, cols);
  const Y = empty(backend, X.shape);
  backend.affineCols(Y.buffer, normalised.buffer, gamma.buffer, beta.buffer, rows, cols);

  record(Y, [X, gamma, beta], (dY) => {
    const dGamma = column();
    backend.colDots(dGamma.buffer, dY.buffer, normalised.buffer, rows, cols);
    const dBeta = column();
    backend.colDots(dBeta.buffer, dY.buffer, null, rows, cols);
    return [() => inputGradient(dY, dGamma, dBeta), () => dGamma, () => dBeta];
  });
  return { Y, mean, variance };

  /** dX = γ/σ ∘ (dY − (dβ + x̂ ∘ dγ) / n). */
  function inputGradient(dY: Tensor, dGamma: Tensor, dBeta: Tensor): Tensor {
    const scale = column();
    backend.binary("mul", scale.buffer, gamma.buffer, inverse.buffer);
    const slope = column();
    backend.binary("mul", slope.buffer, scale.buffer, dGamma.buffer);
    backend.affine(slope.buffer, -1 / rows, slope.buffer, 0, null, 0);
    const shift = column();
    backend.binary("mul", shift.buffer, scale.buffer, dBeta.buffer);
    backend.affine(shift.buffer, -1 / rows, shift.buffer, 0, null, 0);
    const dX = empty(backend, X.shape);
    backend.affineCols(dX.buffer, dY.buffer, scale.buffer, null, rows, cols);
    const correction = empty(backend, X.shape);
    backend.affineCols(correction.buffer, normalised.buffer, slope.buffer, shift.buffer, rows, cols);
    backend.affine(dX.buffer, 1, dX.buffer, 1, correction.buffer, 0);
    correction.dispose();
    return dX;
  }
}
