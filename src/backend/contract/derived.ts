import type { GraphConvolution } from "./convolution.ts";
import type { Copy } from "./elementwise.ts";
import type { FlipTrialKernels } from "./flip-trials.ts";
import type { Margins } from "./margins.ts";
import type { PageRank } from "./page-rank.ts";
import type { SoftMedian } from "./soft-median.ts";
import type { Buffer, CsrBuffers, PairBuffers } from "./storage.ts";

/**
 * Kernels that can be composed from others, as `compose/` does. A device may replace one by a fused kernel of its own
 * where that saves launches or passes over memory; callers cannot tell the difference.
 */
export interface DerivedKernels extends GraphConvolution, Margins, PageRank, SoftMedian, FlipTrialKernels {
  /** As `copyIf`, but may destroy the contents of `from`, which must be as long as `to`; do not read it afterwards. */
  moveIf(moves: readonly Copy[], chosen: Buffer): void;
  /** out = (S·X)ᵀ with X of `cols` columns. */
  spmmTransposed(out: Buffer, S: CsrBuffers, X: Buffer, cols: number): void;
  /**
   * The terms of a gradient by pairs: out_e = sign_e·(Σ ⟨P_i, Q_j⟩ + Σ (x_i, x_j or x_i + x_j)). Undirected pairs add
   * ⟨P_j, Q_i⟩ to each product. `accumulate` adds the old out_e inside the brackets. Without `signs`, sign_e = 1.
   */
  pairTerms(out: Buffer, pairs: PairBuffers, terms: PairTerms, options?: PairTermsOptions): void;
  /**
   * The factors of a product are kept until all terms of a gradient go through one {@link pairTerms} if each factor has
   * at most this many floats per pair. 0 where adding the terms one by one is as fast.
   */
  readonly factorsPerPair: number;
}

/** Terms per pair: inner products of rows of P and Q, [n, cols], and elements of vectors, [n], at its ends. */
export interface PairTerms {
  readonly products: readonly { readonly P: Buffer; readonly Q: Buffer; readonly cols: number }[];
  readonly sums: readonly { readonly x: Buffer; readonly ends: Ends }[];
}

/** At which ends of a pair a vector is read: (i, j) has source i and target j. */
export type Ends = "source" | "target" | "both";

/** Options of {@link DerivedKernels.pairTerms}. */
export interface PairTermsOptions {
  readonly signs?: Buffer | null;
  readonly accumulate?: boolean;
}
