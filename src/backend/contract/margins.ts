import type { Buffer } from "./storage.ts";

/** How far the true class lies ahead of the strongest other, row by row: what losses of attacks are made of. */
export interface Margins {
  /**
   * out_t = X_{t, column_t} − X_{t, rival_t} for each row t of `column`. The rival is the column of the largest other
   * entry of the row, the first on ties; there must be at least two columns.
   */
  margins(out: Buffer, rivals: Buffer, X: Buffer, column: Buffer, cols: number): void;
  /** dX_tc = x_t at column_t, −x_t at rival_t and 0 elsewhere: whole rows. */
  marginsGrad(dX: Buffer, x: Buffer, column: Buffer, rivals: Buffer, cols: number): void;
  /**
   * tanhs_t = tanh of the margin of row t, with rivals as in {@link margins}; out_0 = factor · Σ tanhs; correct_0 = the
   * number of rows whose largest entry (the first on ties) is in column_t.
   */
  tanhMargins(args: TanhMarginsArguments): void;
  /** The gradient of out_0: s_t at column_t, −s_t at rival_t and 0 elsewhere, with s_t = d_0 · factor · (1 − tanhs_t²). */
  tanhMarginsGrad(args: TanhMarginsGradArguments): void;
}

/** What {@link Margins.tanhMargins} takes. */
export interface TanhMarginsArguments {
  readonly out: Buffer;
  readonly correct: Buffer;
  readonly saved: TanhMargins;
  readonly X: Buffer;
  readonly column: Buffer;
  readonly cols: number;
  readonly factor: number;
}

/** What {@link Margins.tanhMarginsGrad} takes. */
export interface TanhMarginsGradArguments {
  readonly dX: Buffer;
  readonly d: Buffer;
  readonly saved: TanhMargins;
  readonly column: Buffer;
  readonly cols: number;
  readonly factor: number;
}

/** What {@link Margins.tanhMargins} saves for its gradient. */
export interface TanhMargins {
  readonly tanhs: Buffer;
  readonly rivals: Buffer;
}
