import type { Buffer, CsrBuffers } from "./storage.ts";

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
  /**
   * {@link finishGrad} for a matrix Y of some rows, put in their places among all: dZ and dots are S·dZ and S·dots of the rows, with
   * the matrix of ones S of `places`. Left out by backends that gain nothing by one pass.
   */
  finishGradRows?(
    dZ: Buffer,
    dots: Buffer,
    dY: Buffer,
    Y: Buffer,
    places: CsrBuffers,
    cols: number,
    finish: FinishBuffers,
  ): void;
  /**
   * Back through V = Y·W with Y = finish(Z): dZ and dots of {@link finishGrad} for dY = dV·Wᵀ, [m, n]·[n, k], which never exists.
   * With `above`, V cut off below 0, dV counts where that is above 0. Left out by backends that gain nothing by one pass.
   */
  productFinishGrad?(
    dZ: Buffer,
    dots: Buffer,
    dV: Buffer,
    W: Buffer,
    Y: Buffer,
    size: Omit<ReluGradSize, "accumulate">,
    finish: FinishBuffers,
    above: Buffer | null,
  ): void;
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
