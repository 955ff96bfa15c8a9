import { check } from "../core/errors.ts";
import { empty, expectShape, IntTensor, record, type Tensor } from "../tensor/index.ts";
import { isTracked } from "../tensor/tape.ts";
import { csrOf, type NeighbourMatrix, shapeOf } from "./neighbour-matrix.ts";

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
  const cols = X.shape[1]!;
  const csr = csrOf(P);
  const Y = empty(backend, [numRows, cols]);
  const median = empty(backend, [numRows, cols]);
  const at = new IntTensor(backend, backend.alloc("i32", numRows * cols));
  const shares = empty(backend, [csr.colIdx.length]);
  const saved = { median: median.buffer, at: at.buffer, shares: shares.buffer };
  backend.softMedian(Y.buffer, saved, csr, X.buffer, cols, temperature);
  const needs = { values: P.values !== null && isTracked(P.values), X: isTracked(X) };
  if (!needs.values && !needs.X) for (const part of [median, at, shares]) part.dispose();
  return record(Y, [P.values, X], (dY) => {
    const rows = rowGradients();
    return [() => rows().dValues!, (into) => featureGradient(rows().toX!, into)];

    /** What each row tells, computed once for both gradients. */
    function rowGradients() {
      let made: { dValues: Tensor | null; toX: ToX | null } | null = null;
      return () => {
        if (made) return made;
        const dValues = needs.values ? empty(backend, P.values!.shape) : null;
        const size = backend.softMedianTermSize?.(cols) ?? 2;
        const toX = needs.X
          ? { terms: empty(backend, [shares.size, size]), medianGrad: empty(backend, median.shape) }
          : null;
        const buffers = toX && { terms: toX.terms.buffer, medianGrad: toX.medianGrad.buffer };
        backend.softMedianGrad(dValues?.buffer ?? null, buffers, dY.buffer, csr, X.buffer, saved, cols, temperature);
        return (made = { dValues, toX });
      };
    }

    function featureGradient({ terms, medianGrad }: ToX, into: Tensor | null): Tensor {
      const dX = into ?? empty(backend, X.shape);
      const held = { grad: medianGrad.buffer, at: at.buffer };
      const rows = { G: dY.buffer, M: median.buffer, X: X.buffer };
      const from = { terms: terms.buffer, order: P.transposedOrder, ...rows, held };
      backend.pullRows(dX.buffer, P.transposedPattern, from, cols, into !== null);
      for (const part of [terms, medianGrad]) part.dispose();
      return dX;
    }
  });
}

interface ToX {
  /** Direct and pull of each entry, and what else the backend wants. */
  readonly terms: Tensor;
  readonly medianGrad: Tensor;
}
