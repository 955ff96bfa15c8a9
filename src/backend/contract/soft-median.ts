import type { Buffer, CsrBuffers } from "./storage.ts";

/**
 * Soft Median as `RobustAggregation.softMedian` defines it, cut into steps that choose for themselves what they keep for the
 * gradient: a number per entry, or a few per row from which entries are computed again.
 */
export interface SoftMedian {
  readonly softMedianSteps: SoftMedianSteps;
}

/** A Soft Median and its gradients, in steps that share what they store. */
export interface SoftMedianSteps {
  /** Floats in `saved.kept` and in `toX.terms`. */
  sizes(numRows: number, numEntries: number): { readonly kept: number; readonly terms: number };
  forward(to: SoftMedianOutput, of: SoftMedianInput): void;
  /** The part of the gradient that each row can tell alone: by the values of S, and what {@link featureGrads} goes on from. */
  rowGrads(
    values: Buffer | null,
    toX: SoftMedianTerms | null,
    dY: Buffer,
    of: SoftMedianInput,
    from: SoftMedianOutput,
  ): void;
  /** dX, of which `transposed` has the rows. */
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

/** The result, and what the gradient needs of the forward pass. */
export interface SoftMedianOutput {
  readonly Y: Buffer;
  readonly median: Buffer;
  /** i32: the lowest column that holds each median, −1 in an empty row. */
  readonly at: Buffer;
  /** Numbers that only these steps understand. */
  readonly kept: Buffer;
}

/** What the gradient by the features is made of. */
export interface SoftMedianTerms {
  readonly terms: Buffer;
  /** One number per row and column. */
  readonly medianGrad: Buffer;
}

/** The transpose of a sparse matrix. Each part may be made when it is asked for, so that steps ask for what they need. */
export interface TransposedMatrix {
  readonly pattern: CsrBuffers;
  /** i32: for each entry of the transpose its place among the entries of the matrix. */
  readonly order: Buffer;
  /** With values. */
  readonly matrix: CsrBuffers;
}
