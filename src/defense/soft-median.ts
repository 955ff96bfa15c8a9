import type { SoftMedianToX } from "../backend/backend.ts";
import { check } from "../core/errors.ts";
import { empty, expectShape, IntTensor, record, scope, type Tensor } from "../tensor/index.ts";
import { isTracked } from "../tensor/tape.ts";
import { csrOf, type NeighbourMatrix, shapeOf, transposedWith } from "./neighbour-matrix.ts";

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
  const shares = empty(backend, [csr.colIdx.length]);
  backend.softMedian(Y.buffer, median.buffer, shares.buffer, csr, X.buffer, cols, temperature);
  const needs = { values: P.values !== null && isTracked(P.values), X: isTracked(X) };
  if (!needs.values && !needs.X) for (const saved of [median, shares]) saved.dispose();
  return record(Y, [P.values, X], (dY) => {
    const rows = rowGradients();
    return [() => rows().dValues!, (into) => featureGradient(rows().toX!, into)];

    /** What each row tells, computed once for both gradients. */
    function rowGradients() {
      let made: { dValues: Tensor | null; toX: ToX | null } | null = null;
      return () => {
        if (made) return made;
        const dValues = needs.values ? empty(backend, P.values!.shape) : null;
        const toX = needs.X ? emptyToX() : null;
        const saved = { median: median.buffer, shares: shares.buffer };
        const [values, buffers] = [dValues?.buffer ?? null, toX && buffersOf(toX)];
        backend.softMedianGrad(values, buffers, dY.buffer, csr, X.buffer, saved, cols, temperature);
        return (made = { dValues, toX });
      };
    }

    function emptyToX(): ToX {
      const [direct, pull] = [empty(backend, shares.shape), empty(backend, shares.shape)];
      const at = new IntTensor(backend, backend.alloc("i32", numRows * cols));
      return { direct, pull, medianGrad: empty(backend, median.shape), at };
    }

    function featureGradient(toX: ToX, into: Tensor | null): Tensor {
      const dX = into ?? empty(backend, X.shape);
      scope(() => {
        const [direct, pull] = [transposedWith(P, toX.direct), transposedWith(P, toX.pull)];
        const terms = { direct: direct.values!, pull: pull.values!, G: dY.buffer, M: median.buffer, X: X.buffer };
        backend.pullRows(dX.buffer, direct, terms, cols, into !== null);
      });
      backend.scatterAddEntries(dX.buffer, toX.medianGrad.buffer, toX.at.buffer, numRows, cols);
      for (const part of [toX.direct, toX.pull, toX.medianGrad, toX.at]) part.dispose();
      return dX;
    }
  });
}

interface ToX {
  readonly direct: Tensor;
  readonly pull: Tensor;
  readonly medianGrad: Tensor;
  readonly at: IntTensor;
}

function buffersOf({ direct, pull, medianGrad, at }: ToX): SoftMedianToX {
  return { direct: direct.buffer, pull: pull.buffer, medianGrad: medianGrad.buffer, at: at.buffer };
}
