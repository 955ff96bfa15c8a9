import type { SoftMedianInput, SoftMedianOutput, TransposedMatrix } from "../backend/backend.ts";
import { check } from "../core/errors.ts";
import { empty, expectShape, IntTensor, SparseMatrix, type Tensor } from "../tensor/index.ts";
import { isTracked, record } from "../tensor/tape.ts";
import { csrOf, type NeighbourMatrix, shapeOf } from "./neighbour-matrix.ts";

/**
 * Soft Median of the neighbours of each row (Geisler et al. 2021, eq. 6): a weighted mean, times the sum of the
 * weights, in which a neighbour counts less the further it lies from the weighted dimension-wise median. Half of the
 * weight may lie anywhere without moving the result arbitrarily far. T → ∞ is the sparse product, T → 0 the neighbour
 * closest to the median.
 *
 * Differentiable in the values of `P` and in `X`. The gradient only treats as constant which neighbour holds each
 * median.
 *
 * @example
 * const P = SparseMatrix.upload(backend, pushDiffusion(graph.adjacency, { alpha: 0.15, epsilon: 1e-4, k: 64 }));
 * const H = softMedian(P, matmul(X, W), 0.2); // instead of spmm(P, matmul(X, W))
 */
export function softMedian(P: NeighbourMatrix, X: Tensor, temperature: number): Tensor {
  const { numRows, numCols } = shapeOf(P);
  expectShape("softMedian", "X", X, [numCols, "f"]);
  check(temperature > 0, () => `softMedian: the temperature must be above 0, got ${temperature}`);
  const { backend } = X;
  const { softMedianSteps: steps } = backend;
  const cols = X.shape[1];
  const S = csrOf(P);
  const sizes = steps.sizes(numRows, S.colIdx.length);
  const Y = empty(backend, [numRows, cols]);
  const median = empty(backend, [numRows, cols]);
  const at = new IntTensor(backend, backend.alloc("i32", numRows * cols));
  const kept = empty(backend, [sizes.kept]);
  const input: SoftMedianInput = { S, X: X.buffer, cols, temperature };
  const output: SoftMedianOutput = { Y: Y.buffer, median: median.buffer, at: at.buffer, kept: kept.buffer };
  steps.forward(output, input);

  const wanted = { values: isTracked(P.values), X: isTracked(X) };
  if (!wanted.values && !wanted.X) for (const part of [median, at, kept]) part.dispose();
  return record(Y, [P.values, X], (dY) => {
    const dValues = wanted.values ? empty(backend, P.values!.shape) : null;
    const terms = wanted.X ? empty(backend, [sizes.terms]) : null;
    const medianGrad = wanted.X ? empty(backend, median.shape) : null;
    const toX = terms && medianGrad && { terms: terms.buffer, medianGrad: medianGrad.buffer };
    steps.rowGrads(dValues?.buffer ?? null, toX, dY.buffer, input, output);
    return [
      () => dValues!,
      () => {
        const dX = empty(backend, X.shape);
        steps.featureGrads({
          dX: dX.buffer,
          transposed: transposeOf(P),
          toX: toX!,
          dY: dY.buffer,
          of: input,
          from: output,
        });
        return dX;
      },
    ];
  });
}

/** The transpose of `P` for kernels. Each part is made when it is read. */
function transposeOf(P: NeighbourMatrix): TransposedMatrix {
  return {
    get pattern() {
      return P.transposedPattern;
    },
    get order() {
      return P.transposedOrder;
    },
    get matrix() {
      return P instanceof SparseMatrix ? P.transposed.buffers : P.transposed;
    },
  };
}
