import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

export const MATMUL = new OpKind<{ readonly A: Tensor; readonly B: Tensor }>("matmul", { isPure: true });

/** Dense product `Y = A·B`. */
export function matmul(A: Tensor, B: Tensor): Tensor {
  expectShape("matmul", "A", A, ["m", "k"]);
  const [m, k] = A.shape;
  expectShape("matmul", "B", B, [k, "n"]);
  const n = B.shape[1];
  const { backend } = A;
  return defer({
    kind: MATMUL,
    operands: { A, B },
    backend,
    shape: [m, n],
    inputs: [A, B],
    forward: (Y) => backend.matmul(Y.buffer, A.buffer, B.buffer, { m, n, k }),
    gradients: (dY) => [
      () => {
        const dA = empty(backend, A.shape); // dA = dY·Bᵀ
        backend.matmul(dA.buffer, dY.buffer, B.buffer, { m, n: k, k: n, transB: true });
        return dA;
      },
      () => {
        const dB = empty(backend, B.shape); // dB = Aᵀ·dY
        backend.matmul(dB.buffer, A.buffer, dY.buffer, { m: k, n, k: m, transA: true });
        return dB;
      },
    ],
  });
}
