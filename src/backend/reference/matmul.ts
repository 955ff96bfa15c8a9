import type { Buffer, FinishBuffers, MatmulSize } from "../backend.ts";
import { finishRows } from "./finish.ts";
import { floats } from "./storage.ts";

/** out_ij = Σ_l op(A)_il · op(B)_lj. A transposed factor is stored [k, m] or [n, k]. */
export function matmul(out: Buffer, A: Buffer, B: Buffer, size: MatmulSize, finish?: FinishBuffers): void {
  const { m, n, k, transA = false, transB = false, accumulate = false } = size;
  const y = floats("matmul", "out", out, m * n);
  const [a, b] = [floats("matmul", "A", A, m * k), floats("matmul", "B", B, k * n)];
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = accumulate ? y[i * n + j]! : 0;
      for (let l = 0; l < k; l++) sum += a[transA ? l * m + i : i * k + l]! * b[transB ? j * k + l : l * n + j]!;
      y[i * n + j] = sum;
    }
  }
  finishRows("matmul", y, m, n, finish);
}
