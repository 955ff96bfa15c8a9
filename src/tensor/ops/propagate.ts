import type { GraphView } from "../graph-view.ts";
import { record } from "../tape.ts";
import { empty, expectShape, filled, type Tensor } from "../tensor.ts";

/**
 * `Y = (A ⊕ p)·X`: every node sums its neighbours, with the overlay's active pairs on top of the clean edges. The
 * merged matrix never exists.
 *
 * Differentiable in `X` and, for all pairs of the overlay, in their weights.
 */
export function propagate(view: GraphView, X: Tensor): Tensor {
  const { backend, adjacency, overlay } = view;
  expectShape("propagate", "X", X, [adjacency.numCols, "f"]);
  const cols = X.shape[1]!;
  const Y = empty(backend, [adjacency.numRows, cols]);
  backend.spmm(Y.buffer, adjacency.buffers, X.buffer, cols);
  if (overlay) backend.spmm(Y.buffer, overlay.active, X.buffer, cols, true);
  return record(Y, [overlay?.signedWeights ?? null, X], (dY) => [
    (into) => {
      if (overlay!.factors) {
        overlay!.factors.addProduct(dY, X);
        return into ?? filled(backend, overlay!.signedWeights.shape, 0);
      }
      const dw = into ?? empty(backend, overlay!.signedWeights.shape); // ⟨dY_i, X_j⟩ + ⟨dY_j, X_i⟩ per pair
      const options = { symmetric: !overlay!.pairs.directed, accumulate: into !== null };
      backend.sddmm(dw.buffer, overlay!.pairs, dY.buffer, X.buffer, cols, options);
      return dw;
    },
    (into) => {
      const dX = into ?? empty(backend, X.shape); // (A ⊕ p)ᵀ·dY
      backend.spmm(dX.buffer, adjacency.transposed.buffers, dY.buffer, cols, into !== null);
      if (overlay) backend.spmm(dX.buffer, overlay.activeTransposed, dY.buffer, cols, true);
      return dX;
    },
  ]);
}
