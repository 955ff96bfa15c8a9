import { record } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

/** Dense product `Y = A·B`. */
export function matmul(A: Tensor, B: Tensor): Tensor {
  expectShape("matmul", "A", A, ["m", "k"]);
  const [m, k] = A.shape as [number, number];
  expectShape("matmul", "B", B, [k, "n"]);
  const n = B.shape[1]!;
  const { backend } = A;
  const Y = empty(backend, [m, n]);
  backend.matmul(Y.buffer, A.buffer, B.buffer, { m, n, k });
  return record(Y, [A, B], (dY) => [
    (into) => {
      const dA = into ?? empty(backend, A.shape); // dA = dY·Bᵀ
      backend.matmul(dA.buffer, dY.buffer, B.buffer, { m, n: k, k: n, transB: true, accumulate: into !== null });
      return dA;
    },
    (into) => {
      const dB = into ?? empty(backend, B.shape); // dB = Aᵀ·dY
      backend.matmul(dB.buffer, A.buffer, dY.buffer, { m: k, n, k: m, transA: true, accumulate: into !== null });
      return dB;
    },
  ]);
}
