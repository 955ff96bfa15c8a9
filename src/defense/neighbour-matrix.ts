import type { CsrBuffers } from "../backend/backend.ts";
import type { TopKMatrix } from "../nn/top-k-matrix.ts";
import { SparseMatrix, type Tensor } from "../tensor/index.ts";

/** A matrix whose rows name neighbours and weigh them, with weights of at least 0. */
export type NeighbourMatrix = SparseMatrix | TopKMatrix;

/** How layers mix neighbours robustly: like a sparse product, a function of weights and features. */
export type RobustAggregate = (P: NeighbourMatrix, X: Tensor) => Tensor;

export function shapeOf(P: NeighbourMatrix): { numRows: number; numCols: number } {
  return P instanceof SparseMatrix ? P : { numRows: P.numNodes, numCols: P.numNodes };
}

export function csrOf(P: NeighbourMatrix): CsrBuffers {
  return P instanceof SparseMatrix ? P.buffers : P.buffers();
}

/** Hands `use` the transposed pattern with each of these values per entry in its place. */
export function withTransposed(
  P: NeighbourMatrix,
  values: readonly Tensor[],
  use: (transposed: readonly CsrBuffers[]) => void,
): void {
  if (P instanceof SparseMatrix) {
    use(values.map((entries) => P.withValues(entries).transposed.buffers));
    return;
  }
  const matrices = values.map((entries) => P.transpose(entries));
  use(matrices);
  for (const { rowPtr, colIdx, values: own } of matrices) {
    for (const buffer of [rowPtr, colIdx, own!]) P.backend.free(buffer);
  }
}
