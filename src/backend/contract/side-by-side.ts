import type { Key } from "../../core/philox.ts";
import type { Buffer, CsrBuffers } from "./storage.ts";

/**
 * Kernels for several models of one shape that are trained side by side. A matrix of each of them, [rows, width], is kept as one
 * matrix [rows, models·width]: in every row the first model's columns come first. Sums are made in the order in which the kernels for
 * one model make them, so that each model gets the same bits as alone.
 */
export interface SideBySide {
  /** `dropout`, or `reluDropout`, of the matrix of each model as if it stood alone, with a key of its own. May work in place. */
  dropoutEach(args: DropoutEachArguments): void;
  /** `spmm` of S and the matrix of each model. */
  spmmEach(out: Buffer, S: CsrBuffers, X: Buffer, shape: SideBySideShape): void;
  /** out_c = Σ_i X_ic of each model, as `colDots` does it. */
  colSumsEach(out: Buffer, X: Buffer, rows: number, shape: SideBySideShape): void;
  /** out_g = A_g·op(B_g) for each model g, [rows, k]·[k, n]; the matrices B_g lie one after the other, [k, n] or, transposed, [n, k]. */
  productEach(out: Buffer, A: Buffer, B: Buffer, size: ProductEachSize): void;
  /** The gradient of {@link productEach}, not transposed, by B: dB_g = A_gᵀ·dY_g, one after the other. */
  productEachGrad(dB: Buffer, A: Buffer, dY: Buffer, size: Omit<ProductEachSize, "transB">): void;
  /** For each model g: chosen_g = 1 and best_g = score_g if learning_g > 0 and score_g < best_g, else chosen_g = 0. */
  improveEach(args: ImproveEachArguments): void;
  /** to = from in the columns of each model g with chosen_g > 0; the other columns stay. */
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
  /** True: what is below 0 becomes 0 first. */
  readonly relu: boolean;
}

/** A key for each model, on the host and on the device. */
export interface KeyPerModel {
  readonly keys: readonly Key[];
  /** i32: lower and upper word of the key of each model in turn, from `first` on. */
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
  /** Finite to begin with. */
  readonly best: Buffer;
  readonly score: Buffer;
  /** 1, or 0 for a model whose best score is not to change any more. */
  readonly learning: Buffer;
  readonly models: number;
}

/** A matrix [rows, models·width], and one of the same shape that some columns are taken from. */
export interface CopyEach {
  readonly to: Buffer;
  readonly from: Buffer;
  readonly width: number;
}
