import type { Buffer, CsrBuffers } from "./storage.ts";

/**
 * Robust aggregation: rows of X weighted by the stored values of a sparse matrix S (at least 0; all 1 if S has no
 * values), whose columns ascend in every row. Backends with `localPageRank` also accept its rows, which may end in
 * unused places of weight 0.
 */
export interface RobustAggregation {
  /**
   * Lower weighted median of each column over the neighbours of each row: the smallest x_jc, j in row i, at which the
   * cumulated weight reaches half of the row's total. Weights are added as fixed-point numbers of at least 22 bits, so
   * that equal sums tie exactly in any order of summation. `at` (i32) receives the lowest column j of the row with x_jc
   * equal to the median. An empty row has median 0 and `at` −1.
   */
  weightedMedian(median: Buffer, at: Buffer, S: CsrBuffers, X: Buffer, cols: number): void;
  /**
   * Soft Median: with weights a, W = Σ_j a_j, the weighted median m and c_j = ‖m − x_j‖ / √cols over the entries j of
   * row i, share_j = exp(−c_j / T) / Σ_l a_l exp(−c_l / T) and out_i = W Σ_j a_j share_j x_j. Saves what the gradient
   * needs. In a row without weight, shares and result are 0. exp(−c_j / T) is limited to e^60 times the largest one
   * with weight a > 0.
   */
  softMedian(args: SoftMedianArguments): void;
  /**
   * The part of Soft Median's gradient that each row computes on its own, given dY: with q = a ∘ share,
   * e_j = W ⟨dY_i, x_j⟩ and ē = Σ q_l e_l, values_j = share_j (e_j − ē) + ē / W. With `toX` also the terms from which
   * {@link pullRows} makes dX: direct_j = W q_j and pull_j = −q_j (e_j − ē) / (T cols c_j), 0 where c_j = 0, and
   * medianGrad_i = −Σ_j pull_j (x_j − m).
   */
  softMedianGrad(args: SoftMedianGradArguments): void;
  /**
   * dX_j = Σ_i direct_ji G_i + pull_ji (X_j − M_i) over the entries (j, i) of the pattern S, which has one row per row
   * of dX, added to `dX` if `accumulate`. `terms` holds direct and pull of each entry in another order: pair order_e
   * belongs to entry e of S. The values of S are not used. With `held`, grad_ic is also added to dX_jc for j = at_ic,
   * unless that is −1; (j, i) must be an entry of S with X_jc = M_ic.
   */
  pullRows(dX: Buffer, S: CsrBuffers, from: PulledFrom, cols: number, accumulate?: boolean): void;
  /**
   * Soft Medoid: with δ_j = Σ_l a_l ‖x_j − x_l‖ and s = softmax(−δ / T) over the entries of row i, q_j = s_j a_j / Σ_l s_l a_l
   * (q = s without `weightCorrection`) and out_i = scale_i Σ_j q_j x_j. `shares` receives q, one per entry.
   */
  softMedoid(args: SoftMedoidArguments): void;
  /**
   * Adds to dX the gradient of Soft Medoid by X; the weights are constants. With e_j = scale_i ⟨dY_i, x_j⟩,
   * ē = Σ q_l e_l and t_j = −q_j (e_j − ē) / T, row j gets
   * scale_i q_j dY_i + Σ_l (t_j a_l + t_l a_j) (x_j − x_l) / ‖x_j − x_l‖, where terms of equal points are 0.
   */
  softMedoidGrad(args: SoftMedoidGradArguments): void;
}

/** What {@link RobustAggregation.softMedian} takes. */
export interface SoftMedianArguments {
  readonly out: Buffer;
  readonly saved: SoftMedianSaved;
  readonly S: CsrBuffers;
  readonly X: Buffer;
  readonly cols: number;
  readonly temperature: number;
}

/** What {@link RobustAggregation.softMedianGrad} takes. */
export interface SoftMedianGradArguments {
  readonly values: Buffer | null;
  readonly toX: SoftMedianToX | null;
  readonly dY: Buffer;
  readonly S: CsrBuffers;
  readonly X: Buffer;
  readonly saved: SoftMedianSaved;
  readonly cols: number;
  readonly temperature: number;
}

/** What {@link RobustAggregation.softMedoid} takes. */
export interface SoftMedoidArguments {
  readonly out: Buffer;
  readonly shares: Buffer;
  readonly S: CsrBuffers;
  readonly X: Buffer;
  readonly cols: number;
  readonly options: SoftMedoidOptions;
}

/** What {@link RobustAggregation.softMedoidGrad} takes. */
export interface SoftMedoidGradArguments {
  readonly dX: Buffer;
  readonly dY: Buffer;
  readonly shares: Buffer;
  readonly S: CsrBuffers;
  readonly X: Buffer;
  readonly cols: number;
  readonly options: SoftMedoidOptions;
}

/** What Soft Median's forward pass saves for its gradient. */
export interface SoftMedianSaved {
  readonly median: Buffer;
  /** i32: the lowest column that holds each median, −1 in an empty row. */
  readonly at: Buffer;
  /** One per entry. */
  readonly shares: Buffer;
}

/** Inputs of the gradient by the features: `terms`, two numbers per entry, and `medianGrad`, one per row and column. */
export interface SoftMedianToX {
  readonly terms: Buffer;
  readonly medianGrad: Buffer;
}

/** Inputs of `pullRows`: rows of the pattern S belong to rows of `X`, its columns to rows of `G` and `M`. */
export interface PulledFrom {
  readonly terms: Buffer;
  /** i32: for each entry of the pattern, the position of its pair of terms. */
  readonly order: Buffer;
  readonly G: Buffer;
  readonly M: Buffer;
  readonly X: Buffer;
  /** One number per row and column of `G`, and (i32) the row of dX to which it is added. */
  readonly held?: { readonly grad: Buffer; readonly at: Buffer };
}

/** How a Soft Medoid weighs neighbours. */
export interface SoftMedoidOptions {
  readonly temperature: number;
  /** Factor of each row of the result: the sum of all its weights, including those of entries that were left out. */
  readonly scale: Buffer;
  readonly weightCorrection: boolean;
}
