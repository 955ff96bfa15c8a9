import { type FinishWish, record } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

/**
 * What is wished for in the place of `dA = dV·Wᵀ`, where the backend can make it in one pass; with `above`, dV counts where that
 * is above 0. False if nothing was done.
 */
export function finishedProduct(
  dA: Tensor,
  dV: Tensor,
  W: Tensor,
  wish: FinishWish | null,
  above: Tensor | null = null,
): boolean {
  const { backend, shape } = dA;
  if (!wish || !backend.productFinishGrad) return false;
  const [k, n] = W.shape as [number, number];
  const m = shape[0];
  const { Y, finish } = wish;
  wish.dots = empty(backend, [m]);
  const [from, to] = [
    [dV.buffer, W.buffer, Y.buffer],
    [dA.buffer, wish.dots.buffer],
  ] as const;
  backend.productFinishGrad(...to, ...from, { m, n, k }, finish, above?.buffer ?? null);
  return true;
}

/** Dense product `Y = A·B`. */
export function matmul(A: Tensor, B: Tensor): Tensor {
  expectShape("matmul", "A", A, ["m", "k"]);
  const [m, k] = A.shape as [number, number];
  expectShape("matmul", "B", B, [k, "n"]);
  const n = B.shape[1];
  const { backend } = A;
  const Y = empty(backend, [m, n]);
  backend.matmul(Y.buffer, A.buffer, B.buffer, { m, n, k });
  return record(Y, [A, B], (dY) => [
    (into, wish) => {
      const dA = into ?? empty(backend, A.shape); // dA = dY·Bᵀ
      if (finishedProduct(dA, dY, B, wish)) return dA;
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
