import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import type { SparseMatrix } from "../sparse-matrix.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

export const SPMM = new OpKind<{ readonly S: SparseMatrix; readonly X: Tensor }>("spmm", {
  isPure: true,
  mixesRows: { rows: ({ X }) => X, on: ({ S }, X) => spmm(S, X) },
});

/**
 * Sparse-dense product `Y = S·X`: the step every message-passing layer shares.
 *
 * Differentiable in the stored values of `S`, if it has any, and in `X`. Stores no [entries, features] matrix.
 */
export function spmm(S: SparseMatrix, X: Tensor): Tensor {
  expectShape("spmm", "X", X, [S.numCols, "f"]);
  const { backend } = X;
  const cols = X.shape[1];
  return defer({
    kind: SPMM,
    operands: { S, X },
    backend,
    shape: [S.numRows, cols],
    inputs: [S.values, X],
    forward: (Y) => backend.spmm(Y.buffer, S.buffers, X.buffer, cols),
    gradients: (dY) => [
      () => {
        const dValues = empty(backend, S.values!.shape); // dS_ij = ⟨dY_i, X_j⟩ on stored entries
        backend.sddmm({ out: dValues.buffer, pairs: S.entries, P: dY.buffer, Q: X.buffer, cols });
        return dValues;
      },
      () => {
        const dX = empty(backend, X.shape); // dX = Sᵀ·dY
        backend.spmm(dX.buffer, S.transposed.buffers, dY.buffer, cols);
        return dX;
      },
    ],
  });
}
