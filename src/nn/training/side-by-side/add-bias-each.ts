import type { SideBySideShape } from "../../../backend/backend.ts";
import { sideBySide } from "../../../backend/compose/side-by-side.ts";
import { defer, empty, expectShape, OpKind, type Tensor } from "../../../tensor/index.ts";

const ADD_BIAS_EACH = new OpKind("addBiasEach");

/** Adds the bias of each model to its columns: Y_ic = X_ic + b_c. */
export function addBiasEach(X: Tensor, b: Tensor, shape: SideBySideShape): Tensor {
  const cols = shape.models * shape.width;
  expectShape("addBiasEach", "X", X, ["n", cols]);
  expectShape("addBiasEach", "b", b, [cols]);
  const { backend } = X;
  const rows = X.shape[0];
  return defer({
    kind: ADD_BIAS_EACH,
    operands: {},
    backend,
    shape: X.shape,
    inputs: [X, b],
    forward: (Y) => backend.affineCols({ out: Y.buffer, X: X.buffer, scale: null, shift: b.buffer, rows, cols }),
    gradients: (dY) => [
      () => dY,
      () => {
        const db = empty(backend, b.shape);
        sideBySide(backend).colSumsEach(db.buffer, dY.buffer, rows, shape);
        return db;
      },
    ],
  });
}
