import type { SideBySideShape } from "../../../backend/backend.ts";
import { sideBySide } from "../../../backend/compose/side-by-side.ts";
import { defer, empty, expectShape, OpKind, type SparseMatrix, type Tensor } from "../../../tensor/index.ts";

const SPMM_EACH = new OpKind("spmmEach");

/** `S·X` for the matrices of models side by side, for a matrix S that does not change. */
export function spmmEach(S: SparseMatrix, X: Tensor, shape: SideBySideShape): Tensor {
  const cols = shape.models * shape.width;
  expectShape("spmmEach", "X", X, [S.numCols, cols]);
  const { backend } = X;
  const kernels = sideBySide(backend);
  return defer({
    kind: SPMM_EACH,
    operands: {},
    backend,
    shape: [S.numRows, cols],
    inputs: [X],
    forward: (Y) => kernels.spmmEach(Y.buffer, S.buffers, X.buffer, shape),
    gradients: (dY) => [
      () => {
        const dX = empty(backend, X.shape); // Sᵀ·dY
        kernels.spmmEach(dX.buffer, S.transposed.buffers, dY.buffer, shape);
        return dX;
      },
    ],
  });
}
