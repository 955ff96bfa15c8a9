import type { Buffer, CsrBuffers, PairBuffers } from "./storage.ts";

/** Products along the edges of a graph or along pairs of nodes. */
export interface SparseProducts {
  /** out = S·X with X of `cols` columns, added to `out` if `accumulate`. */
  spmm(out: Buffer, S: CsrBuffers, X: Buffer, cols: number, accumulate?: boolean): void;
  /**
   * Sampled dense-dense product, one float per pair: out_e = ⟨P_i, Q_j⟩, plus ⟨P_j, Q_i⟩ if `symmetric`, for
   * (i, j) = (sources_e, targets_e), added to `out` if `accumulate`. With `scale`, P is replaced by L·P and Q by R·Q.
   */
  sddmm(args: SddmmArguments): void;
  /** out_i = Σ_j S_ij (number of entries where S has no values), added to `out` if `accumulate`. */
  rowSums(out: Buffer, S: CsrBuffers, accumulate?: boolean): void;
  /**
   * out_e = x_i, x_j or x_i + x_j of pair e; plus the old out_e if `accumulate`, then times sign_e if `signs` is given.
   */
  pairSums(args: PairSumsArguments): void;
  /** out_e = softmax of x over the entries of row i, for each entry e of row i. The values of S are not used. */
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

/** Diagonal factors: `by` is the diagonal of L, R or both; a matrix on a side that is not named is the identity. */
export interface Scale {
  readonly by: Buffer;
  readonly sides: "left" | "right" | "both";
}
