import { record, spare } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

/** Mean and variance of each column. */
export interface BatchStatistics {
  readonly mean: Tensor;
  /** The biased one (divided by n), which the normalisation uses. */
  readonly variance: Tensor;
}

/**
 * Batch normalisation over rows: `Y = γ ∘ (X − mean) / √(variance + epsilon) + β` with the statistics of the columns of
 * `X`, which are returned too, for running averages. Computed at once, because a deferred op has only one result.
 */
export function batchNorm(X: Tensor, gamma: Tensor, beta: Tensor, epsilon: number): { Y: Tensor } & BatchStatistics {
  expectShape("batchNorm", "X", X, ["n", "f"]);
  const [rows, cols] = X.shape;
  expectShape("batchNorm", "gamma", gamma, [cols]);
  expectShape("batchNorm", "beta", beta, [cols]);
  const { backend } = X;
  const Y = empty(backend, X.shape);
  const mean = empty(backend, [cols]);
  const variance = empty(backend, [cols]);
  const columns = { mean: mean.buffer, variance: variance.buffer, gamma: gamma.buffer };
  backend.batchNorm({ out: Y.buffer, X: X.buffer, columns, beta: beta.buffer, epsilon, rows, cols });
  record(Y, [X, gamma, beta], (dY) => {
    const dX = spare(dY);
    const dGamma = empty(backend, [cols]);
    const dBeta = empty(backend, [cols]);
    const grads = { dX: dX.buffer, dGamma: dGamma.buffer, dBeta: dBeta.buffer };
    backend.batchNormGrad({ grads, dY: dY.buffer, X: X.buffer, columns, epsilon, rows, cols });
    return [() => dX, () => dGamma, () => dBeta];
  });
  return { Y, mean, variance };
}
