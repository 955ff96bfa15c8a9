import type { CsrBuffers } from "../backend/backend.ts";
import type { TopKMatrix } from "../nn/diffusion/top-k-matrix.ts";
import { SparseMatrix, type Tensor } from "../tensor/index.ts";

/** A matrix whose rows hold the weights of a node's neighbours, all at least 0. */
export type NeighbourMatrix = SparseMatrix | TopKMatrix;

/** How layers mix neighbours robustly: a function of weights and features, like a sparse product. */
export type RobustAggregate = (P: NeighbourMatrix, X: Tensor) => Tensor;

export function shapeOf(P: NeighbourMatrix): { numRows: number; numCols: number } {
  return P instanceof SparseMatrix ? P : { numRows: P.numNodes, numCols: P.numNodes };
}

export function csrOf(P: NeighbourMatrix): CsrBuffers {
  return P instanceof SparseMatrix ? P.buffers : P.buffers();
}
