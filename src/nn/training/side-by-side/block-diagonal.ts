import type { Backend } from "../../../backend/backend.ts";
import { defer, empty, OpKind, SparseMatrix, type Tensor } from "../../../tensor/index.ts";

const BLOCK_DIAGONAL = new OpKind("blockDiagonal");

/** Blocks one below the other, [models·k, n], as the diagonal blocks of a matrix [models·k, models·n]. */
export function blockDiagonal(blocks: Tensor, places: SparseMatrix): Tensor {
  const { backend } = blocks;
  const [rows, n] = blocks.shape;
  const models = places.numRows / rows;
  return defer({
    kind: BLOCK_DIAGONAL,
    operands: {},
    backend,
    shape: [rows, models * n],
    inputs: [blocks],
    forward: (D) => backend.spmm(D.buffer, places.buffers, blocks.buffer, n),
    gradients: (dD) => [
      () => {
        const dBlocks = empty(backend, blocks.shape);
        backend.spmm(dBlocks.buffer, places.transposed.buffers, dD.buffer, n);
        return dBlocks;
      },
    ],
  });
}

/**
 * Where the rows of blocks with `k` rows go: row `r·models + g` of this matrix of ones says that row r of the blocks fills the columns
 * of model g in row r of the result; it is empty if row r belongs to another model.
 */
export function blockPlaces(backend: Backend, models: number, k: number): SparseMatrix {
  const numCols = models * k;
  const numRows = numCols * models;
  const rowPtr = new Int32Array(numRows + 1);
  for (let t = 0; t < numRows; t++) {
    const row = Math.floor(t / models);
    const isOwn = Math.floor(row / k) === t % models;
    rowPtr[t + 1] = rowPtr[t] + Number(isOwn);
  }
  const colIdx = Int32Array.from({ length: numCols }, (_, row) => row);
  return SparseMatrix.upload(backend, { numRows, numCols, rowPtr, colIdx, values: null });
}
