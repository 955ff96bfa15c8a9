import { check } from "../core/errors.ts";
import { empty, expectShape, IntTensor, record, type Tensor } from "../tensor/index.ts";
import { isTracked } from "../tensor/tape.ts";
import { type NeighbourMatrix, shapeOf } from "./neighbour-matrix.ts";
import { keepEntries, keepRows, type ToX } from "./soft-median-ways.ts";

/**
 * Soft Median of the neighbours of each row (Geisler et al. 2021, eq. 6): a weighted mean in which a neighbour counts the
 * less, the further it lies from the weighted dimension-wise median, times the sum of the weights. Half of the weight
 * may lie anywhere without moving the result arbitrarily. T → ∞ is the sparse product, T → 0 the neighbour closest to
 * the median.
 *
 * Differentiable in the values of `P` and in `X`; only the choice of the medians' holders is constant.
 */
export function softMedian(P: NeighbourMatrix, X: Tensor, temperature: number): Tensor {
  const { numRows, numCols } = shapeOf(P);
  expectShape("softMedian", "X", X, [numCols, "f"]);
  check(temperature > 0, () => `softMedian: the temperature must be above 0, got ${temperature}`);
  const { backend } = X;
  const cols = X.shape[1];
  const Y = empty(backend, [numRows, cols]);
  const median = empty(backend, [numRows, cols]);
  const at = new IntTensor(backend, backend.alloc("i32", numRows * cols));
  const way = (backend.softMedianByRows ? keepRows : keepEntries)({ P, X, Y, median, at, cols, temperature });
  const needs = { values: P.values !== null && isTracked(P.values), X: isTracked(X) };
  if (!needs.values && !needs.X) for (const part of [median, at, way.kept]) part.dispose();
  return record(Y, [P.values, X], (dY) => {
    const rows = rowGradients();
    return [() => rows().dValues!, (into) => featureGradient(rows().toX!, into)];

    /** What each row tells, computed once for both gradients. */
    function rowGradients() {
      let made: { dValues: Tensor | null; toX: ToX | null } | null = null;
      return () => {
        if (made) return made;
        const dValues = needs.values ? empty(backend, P.values!.shape) : null;
        const toX = needs.X
          ? { terms: empty(backend, [way.numTerms]), medianGrad: empty(backend, median.shape) }
          : null;
        way.rowGrads(dValues, toX, dY);
        return (made = { dValues, toX });
      };
    }

    function featureGradient(toX: ToX, into: Tensor | null): Tensor {
      const dX = into ?? empty(backend, X.shape);
      way.featureGrads(dX, toX, dY, into !== null);
      for (const part of [toX.terms, toX.medianGrad]) part.dispose();
      return dX;
    }
  });
}
