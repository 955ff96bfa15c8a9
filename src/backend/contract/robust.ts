import type { Buffer, CsrBuffers } from "./storage.ts";

/**
 * Robust aggregation: rows of X weighed by the stored values (at least 0; 1 where S has none) of a sparse matrix, whose columns
 * ascend in every row. Backends with `localPageRank` take its rows, too, at whose ends places without weight may be left over.
 */
export interface RobustAggregation {
  /**
   * Lower weighted median of each column over the neighbours of each row: the smallest x_jc, j in row i, at which the
   * cumulated weight reaches half of the row's. Weights count as fixed-point numbers of at least 22 bits, so that equal
   * weights tie exactly whatever the order of summation. `at` (i32) receives the lowest column j of S that holds the
   * median. An empty row has median 0 at −1.
   */
  weightedMedian(median: Buffer, at: Buffer, S: CsrBuffers, X: Buffer, cols: number): void;
  /**
   * Soft Median: with weights a, W = Σ_j a_j, the weighted median m and c_j = ‖m − x_j‖ / √cols over the entries j of row i,
   * share_j = exp(−c_j / T) / Σ_l a_l exp(−c_l / T) and out_i = W Σ_j a_j share_j x_j. What the gradient needs is saved. A
   * row without weight has shares and result 0, and no exp(−c_j / T) is above e^60 times the largest of those with weight.
   */
  softMedian(args: SoftMedianArguments): void;
  /**
   * The part of Soft Median's gradient that each row can tell alone, given dY: with q = a ∘ share, e_j = W ⟨dY_i, x_j⟩ and
   * ē = Σ q_l e_l, values_j = share_j (e_j − ē) + ē / W. And, if `toX` is there, what dX is made of: the terms
   * direct_j = W q_j and pull_j = −q_j (e_j − ē) / (T cols c_j), 0 where c_j = 0, and medianGrad_i = −Σ_j pull_j (x_j − m).
   */
  softMedianGrad(args: SoftMedianGradArguments): void;
  /**
   * dX_j = Σ_i direct_ji G_i + pull_ji (X_j − M_i) over the entries (j, i) of the pattern S, which has one row per row of
   * dX, added to `dX` if `accumulate`. `terms` holds direct and pull of as many entries in another order: those of entry e of S
   * are number order_e. The values of S play no part. With `held`, grad_ic is added to dX_jc as well where j = at_ic, which
   * must be an entry of S with X_jc = M_ic, or −1.
   */
  pullRows(dX: Buffer, S: CsrBuffers, from: PulledFrom, cols: number, accumulate?: boolean): void;
  /**
   * Soft Medoid: with δ_j = Σ_l a_l ‖x_j − x_l‖ and s = softmax(−δ / T) over the entries of row i, q_j = s_j a_j / Σ_l s_l a_l
   * (q = s without `weightCorrection`) and out_i = scale_i Σ_j q_j x_j. `shares` receives q, one per entry.
   */
  softMedoid(args: SoftMedoidArguments): void;
  /**
   * Adds to dX the gradient of Soft Medoid by X; the weights are constants. With e_j = scale_i ⟨dY_i, x_j⟩, ē = Σ q_l e_l and
   * t_j = −q_j (e_j − ē) / T: scale_i q_j dY_i + Σ_l (t_j a_l + t_l a_j) (x_j − x_l) / ‖x_j − x_l‖ to row j, equal points 0.
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

/** What Soft Median's forward pass leaves for its gradient. */
export interface SoftMedianSaved {
  readonly median: Buffer;
  /** i32: the lowest column that holds each median, −1 in an empty row. */
  readonly at: Buffer;
  /** One per entry. */
  readonly shares: Buffer;
}

/** What the gradient by the features is put together from: two numbers per entry, and one per row and column. */
export interface SoftMedianToX {
  readonly terms: Buffer;
  readonly medianGrad: Buffer;
}

/** What rows pull from: numbers for each entry of a pattern with one column per row of `G` and `M`, and a row of `X` each. */
export interface PulledFrom {
  readonly terms: Buffer;
  /** i32: where the terms of each entry of the pattern stand. */
  readonly order: Buffer;
  readonly G: Buffer;
  readonly M: Buffer;
  readonly X: Buffer;
  /** One number per row and column of `G`, and (i32) which row it goes to. */
  readonly held?: { readonly grad: Buffer; readonly at: Buffer };
}

/** How a Soft Medoid weighs neighbours. */
export interface SoftMedoidOptions {
  readonly temperature: number;
  /** Factor of each row of the result: the sum of its weights, those left out included. */
  readonly scale: Buffer;
  readonly weightCorrection: boolean;
}
