import { sideBySide } from "../../../backend/compose/side-by-side.ts";
import { defer, empty, expectShape, OpKind, type Tensor } from "../../../tensor/index.ts";

const PRODUCT_EACH = new OpKind("productEach");

/**
 * `Y_g = A_g·B_g` for models side by side: A is [rows, models·k], Y is [rows, models·n], and B has a block [k, n] per
 * model, one below the other.
 */
export function productEach(A: Tensor, B: Tensor, models: number): Tensor {
  expectShape("productEach", "A", A, ["rows", "models·k"]);
  const [rows, cols] = A.shape;
  expectShape("productEach", "B", B, [cols, "n"]);
  const n = B.shape[1];
  const k = cols / models;
  const { backend } = A;
  const kernels = sideBySide(backend);
  return defer({
    kind: PRODUCT_EACH,
    operands: {},
    backend,
    shape: [rows, models * n],
    inputs: [A, B],
    forward: (Y) => kernels.productEach(Y.buffer, A.buffer, B.buffer, { models, rows, n, k }),
    gradients: (dY) => [
      () => {
        const dA = empty(backend, A.shape); // dA_g = dY_g·B_gᵀ
        kernels.productEach(dA.buffer, dY.buffer, B.buffer, { models, rows, n: k, k: n, transB: true });
        return dA;
      },
      () => {
        const dB = empty(backend, B.shape);
        kernels.productEachGrad(dB.buffer, A.buffer, dY.buffer, { models, rows, n, k });
        return dB;
      },
    ],
  });
}
