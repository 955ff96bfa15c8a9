import type { Buffer } from "./storage.ts";

/** Products of dense matrices. */
export interface DenseProducts {
  /** out = finish(op(A)·op(B)), [m, k]·[k, n] after transposition; the product is added to `out` first if `accumulate`. */
  matmul(out: Buffer, A: Buffer, B: Buffer, size: MatmulSize, finish?: FinishBuffers): void;
}

/** Sizes of a product `[m, k]·[k, n]`, and whether an operand is stored transposed. */
export interface MatmulSize {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly transA?: boolean;
  readonly transB?: boolean;
  readonly accumulate?: boolean;
}

/** What is done to a product before it is stored: a bias per column is added, then relu is applied. */
export interface FinishBuffers {
  readonly bias?: Buffer | null;
  readonly relu?: boolean;
}
