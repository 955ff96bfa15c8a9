import {
  type DeviceFeatures,
  defer,
  type IntTensor,
  OpKind,
  SparseMatrix,
  scope,
  spmm,
  type Tensor,
  tensor,
} from "../tensor/index.ts";

/** Which rows are repeated, and how often. */
interface RepeatedRows {
  readonly X: DeviceFeatures;
  readonly times: number;
}

export const REPEAT_ROWS = new OpKind<RepeatedRows>("repeatRows", { isPure: true });

/**
 * All rows of `X`, `times` times below each other, dense. Wide features are hardly ever repeated themselves: their product with weights is
 * (`DrawnConstants`). Nobody differentiates votes, so there is no gradient.
 *
 * @param places 0 … n − 1, as often
 */
export function repeatRows(X: DeviceFeatures, times: number, places: IntTensor): Tensor {
  const { backend } = X;
  const [rows, cols] = X instanceof SparseMatrix ? [X.numRows, X.numCols] : X.shape;
  return defer({
    kind: REPEAT_ROWS,
    operands: { X, times },
    backend,
    shape: [times * rows, cols],
    inputs: X instanceof SparseMatrix ? [] : [X],
    forward: (Y) =>
      scope(() => {
        const dense = X instanceof SparseMatrix ? spmm(X, identity(X)) : X;
        backend.gatherRows(Y.buffer, dense.buffer, places.buffer, cols);
      }),
    gradients: () => [],
  });
}

function identity({ backend, numCols }: SparseMatrix): Tensor {
  const values = new Float32Array(numCols * numCols);
  for (let c = 0; c < numCols; c++) values[c * numCols + c] = 1;
  return tensor(backend, values, [numCols, numCols]);
}
