import type { Buffer, CsrBuffers, PairBuffers } from "./storage.ts";

/** Products along the edges of a graph or along pairs of nodes. */
export interface SparseProducts {
  /** out = S·X with X of `cols` columns, added to `out` if `accumulate`. */
  spmm(out: Buffer, S: CsrBuffers, X: Buffer, cols: number, accumulate?: boolean): void;
  /**
   * Sampled dense-dense product, one float per pair: out_e = ⟨P_i, Q_j⟩, plus ⟨P_j, Q_i⟩ if `symmetric`, for
   * (i, j) = (sources_e, targets_e), added to `out` if `accumulate`. With `scale` P stands for L·P and Q for R·Q.
   */
  sddmm(args: SddmmArguments): void;
  /** out_i = Σ_j S_ij (number of entries where S has no values), added to `out` if `accumulate`. */
  rowSums(out: Buffer, S: CsrBuffers, accumulate?: boolean): void;
  /** out_e = x_i, x_j or x_i + x_j of pair e, added to `out` if `accumulate`, and then times sign_e if there are `signs`. */
  pairSums(args: PairSumsArguments): void;
  /** out_e = softmax over row i of x, for the entries e of row i. The values of S play no part. */
  edgeSoftmax(out: Buffer, S: CsrBuffers, x: Buffer): void;
  /** dx_e = y_e (dy_e − Σ_{e' in row} dy_e' y_e'). */
  edgeSoftmaxGrad(dx: Buffer, S: CsrBuffers, dy: Buffer, y: Buffer): void;
}

/** What {@link SparseProducts.sddmm} takes. */
export interface SddmmArguments {
  readonly out: Buffer;
  readonly pairs: PairBuffers;
  readonly P: Buffer;
  readonly Q: Buffer;
  readonly cols: number;
  readonly symmetric?: boolean | undefined;
  readonly accumulate?: boolean | undefined;
  readonly scale?: Scale | undefined;
}

/** What {@link SparseProducts.pairSums} takes. */
export interface PairSumsArguments {
  readonly out: Buffer;
  readonly pairs: PairBuffers;
  readonly x: Buffer;
  readonly ends: "source" | "target" | "both";
  readonly accumulate?: boolean | undefined;
  readonly signs?: Buffer | null | undefined;
}

/** Factors of rows: the diagonal of L, of R, or of both, around a matrix between them. */
export interface Scale {
  readonly by: Buffer;
  readonly sides: "left" | "right" | "both";
}
