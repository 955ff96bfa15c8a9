import type { Buffer, CsrBuffers } from "./storage.ts";

/**
 * Soft Median as `RobustAggregation.softMedian` defines it, in steps. Each implementation chooses what to save for the
 * gradient: a number per entry, or a few per row from which the numbers of its entries are recomputed.
 */
export interface SoftMedian {
  readonly softMedianSteps: SoftMedianSteps;
}

/** A Soft Median and its gradients, in steps that share what they store. */
export interface SoftMedianSteps {
  /** Lengths of the buffers {@link SoftMedianOutput.kept} and {@link SoftMedianTerms.terms}, in floats. */
  sizes(numRows: number, numEntries: number): { readonly kept: number; readonly terms: number };
  forward(to: SoftMedianOutput, of: SoftMedianInput): void;
  /** The part of the gradient that each row computes alone: by the values of S, and terms for {@link featureGrads}. */
  rowGrads(
    values: Buffer | null,
    toX: SoftMedianTerms | null,
    dY: Buffer,
    of: SoftMedianInput,
    from: SoftMedianOutput,
  ): void;
  /** The gradient by X. `transposed` is the transpose of S: row j has the entries that contribute to dX_j. */
  featureGrads(args: FeatureGradsArguments): void;
}

/** What {@link SoftMedianSteps.featureGrads} takes. */
export interface FeatureGradsArguments {
  readonly dX: Buffer;
  readonly transposed: TransposedMatrix;
  readonly toX: SoftMedianTerms;
  readonly dY: Buffer;
  readonly of: SoftMedianInput;
  readonly from: SoftMedianOutput;
}

/** What a Soft Median is computed from. */
export interface SoftMedianInput {
  readonly S: CsrBuffers;
  readonly X: Buffer;
  readonly cols: number;
  readonly temperature: number;
}

/** The result, and what the forward pass saves for the gradient. */
export interface SoftMedianOutput {
  readonly Y: Buffer;
  readonly median: Buffer;
  /** i32: the lowest column that holds each median, −1 in an empty row. */
  readonly at: Buffer;
  /** Numbers whose meaning is private to the implementation. */
  readonly kept: Buffer;
}

/** Terms from which {@link SoftMedianSteps.featureGrads} computes dX. */
export interface SoftMedianTerms {
  readonly terms: Buffer;
  /** One number per row and column. */
  readonly medianGrad: Buffer;
}

/** The transpose of a sparse matrix. Properties may be getters that compute on access: read only those you need. */
export interface TransposedMatrix {
  readonly pattern: CsrBuffers;
  /** i32: for each entry of the transpose, its position among the entries of the matrix. */
  readonly order: Buffer;
  /** With values. */
  readonly matrix: CsrBuffers;
}
