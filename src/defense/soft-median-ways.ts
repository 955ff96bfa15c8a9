import { empty, type IntTensor, SparseMatrix, type Tensor } from "../tensor/index.ts";
import { csrOf, type NeighbourMatrix, shapeOf } from "./neighbour-matrix.ts";

/** What a Soft Median is computed from, and where it goes. */
interface Task {
  readonly P: NeighbourMatrix;
  readonly X: Tensor;
  readonly Y: Tensor;
  readonly median: Tensor;
  /** Which neighbour holds each median. */
  readonly at: IntTensor;
  readonly cols: number;
  readonly temperature: number;
}

/** What the gradient by the features is made of. */
export interface ToX {
  readonly terms: Tensor;
  readonly medianGrad: Tensor;
}

/** A forward pass that is done, and the steps of its gradient. */
interface Way {
  /** What else the gradient needs. */
  readonly kept: Tensor;
  /** Numbers among `terms`. */
  readonly numTerms: number;
  rowGrads(dValues: Tensor | null, toX: ToX | null, dY: Tensor): void;
  featureGrads(dX: Tensor, toX: ToX, dY: Tensor, accumulate: boolean): void;
}

/** Keeps the share of each entry, and puts the gradient by the features together from two terms of each. */
export function keepEntries({ P, X, Y, median, at, cols, temperature }: Task): Way {
  const { backend } = X;
  const csr = csrOf(P);
  const shares = empty(backend, [csr.colIdx.length]);
  const saved = { median: median.buffer, at: at.buffer, shares: shares.buffer };
  backend.softMedian(Y.buffer, saved, csr, X.buffer, cols, temperature);
  return {
    kept: shares,
    numTerms: 2 * shares.size,
    rowGrads(dValues, toX, dY) {
      const to = toX && { terms: toX.terms.buffer, medianGrad: toX.medianGrad.buffer };
      backend.softMedianGrad(dValues?.buffer ?? null, to, dY.buffer, csr, X.buffer, saved, cols, temperature);
    },
    featureGrads(dX, { terms, medianGrad }, dY, accumulate) {
      const held = { grad: medianGrad.buffer, at: at.buffer };
      const rows = { G: dY.buffer, M: median.buffer, X: X.buffer };
      const from = { terms: terms.buffer, order: P.transposedOrder, ...rows, held };
      backend.pullRows(dX.buffer, P.transposedPattern, from, cols, accumulate);
    },
  };
}

/** Keeps some numbers of each row, and computes what entries need again, in a backend that is faster so. */
export function keepRows({ P, X, Y, median, at, cols, temperature }: Task): Way {
  const { backend } = X;
  const { numbersPerRow, forward, rowGrads, featureGrads } = backend.softMedianByRows!;
  const csr = csrOf(P);
  const kept = empty(backend, [shapeOf(P).numRows, numbersPerRow]);
  const saved = { median: median.buffer, at: at.buffer, kept: kept.buffer };
  forward(Y.buffer, saved, csr, X.buffer, cols, temperature);
  return {
    kept,
    numTerms: kept.size,
    rowGrads(dValues, toX, dY) {
      const to = toX && { terms: toX.terms.buffer, medianGrad: toX.medianGrad.buffer };
      const all = { ...saved, Y: Y.buffer };
      rowGrads(dValues?.buffer ?? null, to, dY.buffer, csr, X.buffer, all, cols, temperature);
    },
    featureGrads(dX, { terms, medianGrad }, dY, accumulate) {
      const transposed = P instanceof SparseMatrix ? P.transposed.buffers : P.transposed;
      const told = { terms: terms.buffer, medianGrad: medianGrad.buffer, saved, dY: dY.buffer, X: X.buffer };
      featureGrads(dX.buffer, transposed, told, cols, temperature, accumulate);
    },
  };
}
