import type { GraphView } from "../graph-view.ts";
import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { gradientByPairs } from "../overlay.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

const PROPAGATE = new OpKind("propagate");

/**
 * `Y = (A ⊕ p)·X`: every node sums its neighbours, with the overlay's active pairs on top of the clean edges. The
 * merged matrix is never stored.
 *
 * Differentiable in `X` and, for all pairs of the overlay, in their weights.
 */
export function propagate(view: GraphView, X: Tensor): Tensor {
  const { backend, adjacency, overlay } = view;
  expectShape("propagate", "X", X, [adjacency.numCols, "f"]);
  const cols = X.shape[1];
  return defer({
    kind: PROPAGATE,
    operands: {},
    backend,
    shape: [adjacency.numRows, cols],
    inputs: [overlay?.signedWeights ?? null, X],
    forward: (Y) => {
      backend.spmm(Y.buffer, adjacency.buffers, X.buffer, cols);
      if (overlay) backend.spmm(Y.buffer, overlay.active, X.buffer, cols, true);
    },
    gradients: (dY) => [
      () => gradientByPairs(overlay!, (pairs) => pairs.addProduct(dY, X)), // ⟨dY_i, X_j⟩ + ⟨dY_j, X_i⟩ per pair
      () => {
        const dX = empty(backend, X.shape); // (A ⊕ p)ᵀ·dY
        backend.spmm(dX.buffer, adjacency.transposed.buffers, dY.buffer, cols);
        if (overlay) backend.spmm(dX.buffer, overlay.activeTransposed, dY.buffer, cols, true);
        return dX;
      },
    ],
  });
}
