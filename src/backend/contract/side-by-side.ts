import type { Key } from "../../core/philox.ts";
import type { Buffer, CsrBuffers } from "./storage.ts";

/**
 * Kernels for several models of one shape that are trained side by side. Their matrices, each [rows, width], are stored
 * as one matrix [rows, models·width]: every row has the first model's columns, then the second's, and so on. Sums are
 * made in the same order as by the kernels for one model, so that each model gets the same bits as if it were trained
 * alone.
 */
export interface SideBySide {
  /** `dropout` or `reluDropout` of each model's matrix by itself, with the model's own key. May work in place. */
  dropoutEach(args: DropoutEachArguments): void;
  /** `spmm` of S with each model's matrix. */
  spmmEach(out: Buffer, S: CsrBuffers, X: Buffer, shape: SideBySideShape): void;
  /** out_c = Σ_i X_ic of each model, as `colDots` does it. */
  colSumsEach(out: Buffer, X: Buffer, rows: number, shape: SideBySideShape): void;
  /**
   * out_g = A_g·op(B_g) for each model g, [rows, k]·[k, n]. The B_g are stored one after the other, each [k, n], or
   * [n, k] if `transB`.
   */
  productEach(out: Buffer, A: Buffer, B: Buffer, size: ProductEachSize): void;
  /** The gradient of {@link productEach} without `transB` by B: dB_g = A_gᵀ·dY_g, stored one after the other. */
  productEachGrad(dB: Buffer, A: Buffer, dY: Buffer, size: Omit<ProductEachSize, "transB">): void;
  /** For each model g: chosen_g = 1 and best_g = score_g if learning_g > 0 and score_g < best_g, else chosen_g = 0. */
  improveEach(args: ImproveEachArguments): void;
  /** to = from in the columns of each model g with chosen_g > 0; the other columns stay as they are. */
  copyEachIf(copies: readonly CopyEach[], chosen: Buffer, models: number): void;
}

/** How many models there are, and how many columns each of them has. */
export interface SideBySideShape {
  readonly models: number;
  readonly width: number;
}

/** What {@link SideBySide.dropoutEach} takes. */
export interface DropoutEachArguments {
  readonly out: Buffer;
  readonly X: Buffer;
  readonly rows: number;
  /** Columns of each model. */
  readonly width: number;
  readonly rate: number;
  readonly keys: KeyPerModel;
  /** Whether relu is applied before dropout. */
  readonly relu: boolean;
}

/** A key for each model, on the host and on the device. */
export interface KeyPerModel {
  readonly keys: readonly Key[];
  /** i32: two words per model, the lower and the upper half of its key, from element `first` on. */
  readonly words: Buffer;
  readonly first: number;
}

/** Sizes of a product of each model, `[rows, k]·[k, n]`, and whether the second factors are stored transposed. */
export interface ProductEachSize {
  readonly models: number;
  readonly rows: number;
  readonly n: number;
  readonly k: number;
  readonly transB?: boolean;
}

/** What {@link SideBySide.improveEach} takes: a number for each model in each buffer. */
export interface ImproveEachArguments {
  readonly chosen: Buffer;
  /** Must be finite. */
  readonly best: Buffer;
  readonly score: Buffer;
  /** 1, or 0 for a model that has stopped training: its best score no longer changes. */
  readonly learning: Buffer;
  readonly models: number;
}

/** Two matrices of shape [rows, models·width], between which the columns of some models are copied. */
export interface CopyEach {
  readonly to: Buffer;
  readonly from: Buffer;
  readonly width: number;
}
