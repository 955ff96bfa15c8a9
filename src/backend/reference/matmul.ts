import type { Buffer, FinishBuffers, MatmulSize, ReluGradSize } from "../backend.ts";
import { finishRows } from "./finish.ts";
import { floats } from "./storage.ts";

/** out_ij = Σ_l op(A)_il · op(B)_lj. A transposed factor is stored [k, m] or [n, k]. */
export function matmul(out: Buffer, A: Buffer, B: Buffer, size: MatmulSize, finish?: FinishBuffers): void {
  const { m, n, k, transA = false, transB = false, accumulate = false } = size;
  const y = floats("matmul", "out", out, m * n);
  const a = floats("matmul", "A", A, m * k);
  const b = floats("matmul", "B", B, k * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = accumulate ? y[i * n + j] : 0;
      for (let l = 0; l < k; l++) sum += a[transA ? l * m + i : i * k + l] * b[transB ? j * k + l : l * n + j];
      y[i * n + j] = sum;
    }
  }
  finishRows("matmul", y, m, n, finish);
}

/** dX_ij = Σ_l dY_il · W_jl over the l with Y_il > 0. */
export function reluGradProduct(
  dX: Buffer,
  dY: Buffer,
  Y: Buffer,
  W: Buffer,
  { m, n, k, accumulate = false }: ReluGradSize,
): void {
  const name = "reluGradProduct";
  const dx = floats(name, "dX", dX, m * k);
  const dy = floats(name, "dY", dY, m * n);
  const y = floats(name, "Y", Y, m * n);
  const w = floats(name, "W", W, k * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < k; j++) {
      let sum = accumulate ? dx[i * k + j] : 0;
      for (let l = 0; l < n; l++) if (y[i * n + l] > 0) sum += dy[i * n + l] * w[j * n + l];
      dx[i * k + j] = sum;
    }
  }
}
