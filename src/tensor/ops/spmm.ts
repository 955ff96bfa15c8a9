import type { SparseMatrix } from "../sparse-matrix.ts";
import { record } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

/**
 * Sparse-dense product `Y = S·X`: the step every message-passing layer shares.
 *
 * Differentiable in the stored values of `S`, where it has any, and in `X`. Nothing per entry and feature exists.
 */
export function spmm(S: SparseMatrix, X: Tensor): Tensor {
  expectShape("spmm", "X", X, [S.numCols, "f"]);
  const { backend } = X;
  const cols = X.shape[1];
  const Y = empty(backend, [S.numRows, cols]);
  backend.spmm(Y.buffer, S.buffers, X.buffer, cols);
  return record(Y, [S.values, X], (dY) => [
    (into) => {
      const dValues = into ?? empty(backend, S.values!.shape); // dS_ij = ⟨dY_i, X_j⟩ on stored entries
      backend.sddmm(dValues.buffer, S.entries, dY.buffer, X.buffer, cols, { accumulate: into !== null });
      return dValues;
    },
    (into) => {
      const dX = into ?? empty(backend, X.shape); // dX = Sᵀ·dY
      backend.spmm(dX.buffer, S.transposed.buffers, dY.buffer, cols, into !== null);
      return dX;
    },
  ]);
}
