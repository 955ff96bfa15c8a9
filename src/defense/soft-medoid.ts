import { check } from "../core/errors.ts";
import { empty, expectShape, filled, type Tensor } from "../tensor/index.ts";
import { isTracked, record } from "../tensor/tape.ts";
import { csrOf, type NeighbourMatrix, shapeOf } from "./neighbour-matrix.ts";

/** How a Soft Medoid weighs neighbours. */
export interface SoftMedoidConfig {
  readonly temperature: number;
  /** Weigh the softmax by the neighbours' weights once more. Default true. */
  readonly weightCorrection?: boolean;
}

/**
 * Soft Medoid of the neighbours of each row (Geisler et al. 2020): a weighted mean, times the sum of the weights, in
 * which a neighbour counts less the larger its weighted distance to all others. The work is quadratic in the neighbours
 * of a row: give it a matrix with few.
 *
 * Differentiable in `X`. The values of `P` are treated as constants, so that no gradient reaches the edges.
 */
export function softMedoid(P: NeighbourMatrix, X: Tensor, config: SoftMedoidConfig): Tensor {
  const { numRows, numCols } = shapeOf(P);
  expectShape("softMedoid", "X", X, [numCols, "f"]);
  const { temperature, weightCorrection = true } = config;
  check(temperature > 0, () => `softMedoid: the temperature must be above 0, got ${temperature}`);
  const { backend } = X;
  const cols = X.shape[1];
  const csr = csrOf(P);
  const Y = empty(backend, [numRows, cols]);
  const shares = empty(backend, [csr.colIdx.length]);
  const sums = empty(backend, [numRows]);
  backend.rowSums(sums.buffer, csr);
  const options = { temperature, weightCorrection, scale: sums.buffer };
  backend.softMedoid({ out: Y.buffer, shares: shares.buffer, S: csr, X: X.buffer, cols, options });
  if (!isTracked(X)) for (const saved of [shares, sums]) saved.dispose();
  return record(Y, [X], (dY) => [
    () => {
      const dX = filled(backend, X.shape, 0);
      backend.softMedoidGrad({
        dX: dX.buffer,
        dY: dY.buffer,
        shares: shares.buffer,
        S: csr,
        X: X.buffer,
        cols,
        options,
      });
      return dX;
    },
  ]);
}
