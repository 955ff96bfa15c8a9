import type { Buffer } from "./storage.ts";

/** Products of dense matrices. */
export interface DenseProducts {
  /** out = finish(op(A)·op(B)), [m, k]·[k, n] after transposition; the product is added to `out` first if `accumulate`. */
  matmul(out: Buffer, A: Buffer, B: Buffer, size: MatmulSize, finish?: FinishBuffers): void;
  /**
   * Back through Y = max(X·W + b, 0): dX = dZ·Wᵀ, [m, n]·[n, k], with dZ = dY where Y > 0, else 0, which never exists; added to
   * `dX` if `accumulate`. Left out by backends that gain nothing: `tensor/ops/linear.ts` makes dZ there.
   */
  reluGradProduct?(dX: Buffer, dY: Buffer, Y: Buffer, W: Buffer, size: ReluGradSize): void;
  /**
   * Back through Y = finish(Z) of a [rows, cols] matrix: dots_i = Σ_c dZ_ic · (Y_ic − bias_c), and dZ = dY where Y > 0, else 0,
   * if `finish.relu`; otherwise dZ = dY, and its buffer is left alone. May write over dY.
   */
  finishGrad(dZ: Buffer, dots: Buffer, dY: Buffer, Y: Buffer, rows: number, cols: number, finish: FinishBuffers): void;
}

export interface MatmulSize {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly transA?: boolean;
  readonly transB?: boolean;
  readonly accumulate?: boolean;
}

/** Y is [m, n], W is [k, n] transposed. */
export type ReluGradSize = Pick<MatmulSize, "m" | "n" | "k" | "accumulate">;

/** What a product goes through before it is stored: a bias per column is added, then what is below 0 becomes 0. */
export interface FinishBuffers {
  readonly bias?: Buffer | null;
  readonly relu?: boolean;
}
