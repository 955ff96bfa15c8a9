import type { GraphView } from "../graph-view.ts";
import { gradientOf } from "../overlay.ts";
import { record } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

/**
 * `Y = (A ⊕ p)·X`: every node sums its neighbours, with the overlay's active pairs on top of the clean edges. The
 * merged matrix never exists.
 *
 * Differentiable in `X` and, for all pairs of the overlay, in their weights.
 */
export function propagate(view: GraphView, X: Tensor): Tensor {
  const { backend, adjacency, overlay } = view;
  expectShape("propagate", "X", X, [adjacency.numCols, "f"]);
  const cols = X.shape[1];
  const Y = empty(backend, [adjacency.numRows, cols]);
  backend.spmm(Y.buffer, adjacency.buffers, X.buffer, cols);
  if (overlay) backend.spmm(Y.buffer, overlay.active, X.buffer, cols, true);
  return record(Y, [overlay?.signedWeights ?? null, X], (dY) => [
    (into) => gradientOf(overlay!, into, (gradient) => gradient.addProduct(dY, X)), // ⟨dY_i, X_j⟩ + ⟨dY_j, X_i⟩ per pair
    (into) => {
      const dX = into ?? empty(backend, X.shape); // (A ⊕ p)ᵀ·dY
      backend.spmm(dX.buffer, adjacency.transposed.buffers, dY.buffer, cols, into !== null);
      if (overlay) backend.spmm(dX.buffer, overlay.activeTransposed, dY.buffer, cols, true);
      return dX;
    },
  ]);
}
