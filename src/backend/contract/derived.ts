import type { GraphConvolution } from "./convolution.ts";
import type { Copy } from "./elementwise.ts";
import type { FlipTrialKernels } from "./flip-trials.ts";
import type { Margins } from "./margins.ts";
import type { PageRank } from "./page-rank.ts";
import type { SoftMedian } from "./soft-median.ts";
import type { Buffer, CsrBuffers, PairBuffers } from "./storage.ts";

/**
 * Kernels that can be made from the others, as `compose/` does. A device replaces one by a fused kernel of its own where that
 * saves launches or passes over memory; whoever calls it never knows which it is.
 */
export interface DerivedKernels extends GraphConvolution, Margins, PageRank, SoftMedian, FlipTrialKernels {
  /** As `copyIf`, for buffers `from` of the same length that nobody reads again: they may hold anything afterwards. */
  moveIf(moves: readonly Copy[], chosen: Buffer): void;
  /** out = (S·X)ᵀ with X of `cols` columns. */
  spmmTransposed(out: Buffer, S: CsrBuffers, X: Buffer, cols: number): void;
  /**
   * The terms of a gradient by pairs: out_e = sign_e·(Σ ⟨P_i, Q_j⟩ + Σ x_i or x_j or both), plus ⟨P_j, Q_i⟩ if the pairs are
   * undirected; with what `out` held inside the brackets if `accumulate`, and no sign without `signs`.
   */
  pairTerms(out: Buffer, pairs: PairBuffers, terms: PairTerms, options?: PairTermsOptions): void;
  /**
   * How many floats of factors per pair are worth keeping until all terms of a gradient can go through one {@link pairTerms};
   * 0 where it is as well to add one term after the other.
   */
  readonly factorsPerPair: number;
}

/** Products of rows of P and Q, [n, cols], and entries of vectors, [n], at the ends of a pair. */
export interface PairTerms {
  readonly products: readonly { readonly P: Buffer; readonly Q: Buffer; readonly cols: number }[];
  readonly sums: readonly { readonly x: Buffer; readonly ends: Ends }[];
}

/** At which ends of a pair a vector is read: (i, j) has source i and target j. */
export type Ends = "source" | "target" | "both";

/** How the terms of pairs are stored. */
export interface PairTermsOptions {
  readonly signs?: Buffer | null;
  readonly accumulate?: boolean;
}
