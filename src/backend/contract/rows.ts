import type { Buffer } from "./storage.ts";

/** Rows and columns of a [rows, cols] matrix. */
export interface Rows {
  /** out_ic = scale_i · X_ic, added to `out` if `accumulate`. May work in place. */
  scaleRows(args: ScaleRowsArguments): void;
  /** out_ic = scale_c · X_ic + shift_c (either may be absent). May work in place. */
  affineCols(args: AffineColsArguments): void;
  /** out_i = Σ_c A_ic · B_ic (B absent: Σ_c A_ic). */
  rowDots(out: Buffer, A: Buffer, B: Buffer | null, rows: number, cols: number): void;
  /** out_c = Σ_i A_ic · B_ic (B absent: Σ_i A_ic), in fixed chunks of rows added in order. */
  colDots(out: Buffer, A: Buffer, B: Buffer | null, rows: number, cols: number): void;
  /**
   * Batch normalisation over rows: writes mean_c and variance_c (divided by `rows`) of the columns of X, and
   * out = γ ∘ (X − mean) / √(variance + epsilon) + β, where 1 / √0 is 0.
   */
  batchNorm(args: BatchNormArguments): void;
  /**
   * The gradients of {@link batchNorm}, given mean and variance: with x̂ = (X − mean) / √(variance + epsilon), dβ = Σ_i dY_i,
   * dγ = Σ_i dY_i ∘ x̂_i and dX = γ / √(variance + epsilon) ∘ (dY − (dβ + x̂ ∘ dγ) / rows). May write dX over dY.
   */
  batchNormGrad(args: BatchNormGradArguments): void;
  softmaxRows(out: Buffer, X: Buffer, rows: number, cols: number): void;
  /** dX_i = Y_i ∘ (dY_i − ⟨dY_i, Y_i⟩). */
  softmaxRowsGrad(dX: Buffer, dY: Buffer, Y: Buffer, rows: number, cols: number): void;
  logSoftmaxRows(out: Buffer, X: Buffer, rows: number, cols: number): void;
  /** dX_i = dY_i − exp(Y_i)·Σ_c dY_ic. */
  logSoftmaxRowsGrad(dX: Buffer, dY: Buffer, Y: Buffer, rows: number, cols: number): void;
  /**
   * out_i = index of the largest entry of row i, the first on ties; with `exclude`, column exclude_i is skipped. −1 if
   * no column is left.
   */
  argmaxRows(out: Buffer, X: Buffer, rows: number, cols: number, exclude?: Buffer): void;
  /** out_ci = X_ic: a [rows, cols] matrix becomes [cols, rows]. */
  transpose(out: Buffer, X: Buffer, rows: number, cols: number): void;
  /**
   * The k ≤ cols largest entries of each row, the lower column on ties: their columns in ascending order in `columns`
   * (i32) and their values in `values`, k per row.
   */
  topKRows(args: TopKRowsArguments): void;
  /** out_t = X_{index_t}, whole rows, for each t of `index`. `out` and X are both f32 or both i32. */
  gatherRows(out: Buffer, X: Buffer, index: Buffer, cols: number): void;
  /**
   * out_{index_t} += X_t, whole rows, for each t of `index`, in the order of t for equal indices. `rows` is the number
   * of rows of `out`.
   */
  scatterAddRows(out: Buffer, X: Buffer, index: Buffer, rows: number, cols: number): void;
  /**
   * Groups the positions t of `index` by index_t: `order` receives the positions in ascending order of index_t, the
   * lower first on ties. Those with index_t = i are order_e for rowPtr_i ≤ e < rowPtr_{i + 1}; indices are below
   * rowPtr.length − 1.
   */
  groupIndices(rowPtr: Buffer, order: Buffer, index: Buffer): void;
  /** out_t = X_{t, column_t}, for each t of `column`. */
  pick(out: Buffer, X: Buffer, column: Buffer, cols: number): void;
  /** out_{t, column_t} += x_t, for each t of `column`. */
  pickGrad(out: Buffer, x: Buffer, column: Buffer, cols: number): void;
}

/** What {@link Rows.scaleRows} takes. */
export interface ScaleRowsArguments {
  readonly out: Buffer;
  readonly X: Buffer;
  readonly scale: Buffer;
  readonly rows: number;
  readonly cols: number;
  readonly accumulate?: boolean | undefined;
}

/** What {@link Rows.affineCols} takes. */
export interface AffineColsArguments {
  readonly out: Buffer;
  readonly X: Buffer;
  readonly scale: Buffer | null;
  readonly shift: Buffer | null;
  readonly rows: number;
  readonly cols: number;
}

/** What {@link Rows.batchNorm} takes. */
export interface BatchNormArguments {
  readonly out: Buffer;
  readonly X: Buffer;
  readonly columns: BatchNormColumns;
  readonly beta: Buffer;
  readonly epsilon: number;
  readonly rows: number;
  readonly cols: number;
}

/** What {@link Rows.batchNormGrad} takes. */
export interface BatchNormGradArguments {
  readonly grads: BatchNormGrads;
  readonly dY: Buffer;
  readonly X: Buffer;
  readonly columns: BatchNormColumns;
  readonly epsilon: number;
  readonly rows: number;
  readonly cols: number;
}

/** What {@link Rows.topKRows} takes. */
export interface TopKRowsArguments {
  readonly columns: Buffer;
  readonly values: Buffer;
  readonly X: Buffer;
  readonly rows: number;
  readonly cols: number;
  readonly k: number;
}

/** Numbers of batch normalisation per column. */
export interface BatchNormColumns {
  readonly mean: Buffer;
  readonly variance: Buffer;
  readonly gamma: Buffer;
}

/** Where the gradients of batch normalisation go. */
export interface BatchNormGrads {
  readonly dX: Buffer;
  readonly dGamma: Buffer;
  readonly dBeta: Buffer;
}
