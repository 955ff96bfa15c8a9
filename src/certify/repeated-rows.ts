import type { Csr } from "../graph/csr.ts";
import { defer, type IntTensor, OpKind, type Tensor } from "../tensor/index.ts";

/** Which rows are repeated, and how often. */
interface RepeatedRows {
  readonly X: Tensor;
  readonly times: number;
}

export const REPEAT_ROWS = new OpKind<RepeatedRows>("repeatRows", { isPure: true });

/**
 * All rows of `X`, `times` times below each other. If they are multiplied with weights, `DrawnConstants` repeats the
 * product instead. Votes are never differentiated, so there is no gradient.
 *
 * @param places 0 … n − 1, `times` times
 */
export function repeatRows(X: Tensor, times: number, places: IntTensor): Tensor {
  const { backend } = X;
  const [rows, cols] = X.shape as [number, number];
  return defer({
    kind: REPEAT_ROWS,
    operands: { X, times },
    backend,
    shape: [times * rows, cols],
    inputs: [X],
    forward: (Y) => backend.gatherRows(Y.buffer, X.buffer, places.buffer, cols),
    gradients: () => [],
  });
}

/** {@link repeatRows} for sparse rows, on the host. */
export function repeatSparseRows({ numRows, numCols, rowPtr, colIdx, values }: Csr, times: number): Csr {
  const size = rowPtr[numRows];
  const allRows = new Int32Array(times * numRows + 1);
  const allCols = new Int32Array(times * size);
  const allValues = values && new Float32Array(times * size);
  for (let t = 0; t < times; t++) {
    allCols.set(colIdx.subarray(0, size), t * size);
    allValues?.set(values!.subarray(0, size), t * size);
    for (let row = 0; row < numRows; row++) allRows[t * numRows + row + 1] = t * size + rowPtr[row + 1];
  }
  return { numRows: times * numRows, numCols, rowPtr: allRows, colIdx: allCols, values: allValues };
}
