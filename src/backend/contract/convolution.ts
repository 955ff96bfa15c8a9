import type { FinishBuffers, MatmulSize } from "./dense-products.ts";
import type { Scale } from "./sparse-products.ts";
import type { Buffer, CsrBuffers } from "./storage.ts";

/** Graph convolution: products with a normalised adjacency matrix that is never stored, and their gradients. */
export interface GraphConvolution {
  /**
   * A step of graph convolution with self loops: out = finish(L·(A + B + I)·R·X). A and B are square; A has no values,
   * B has values and may be absent. L and R are diagonal: the factors of `scale`, or I on a side that it leaves out.
   */
  convolve(args: ConvolveArguments): void;
  /** Some rows of a {@link convolve}: row t of `out` is its row rows_t. */
  convolveRows(args: ConvolveRowsArguments): void;
  /**
   * The entries of A + B in one list, each multiplied by the factor of its column, for convolutions that are scaled by
   * the same factors on the right; the caller frees it. Null where a list would not fit or would not save time.
   */
  mergeEdges(graph: Convolution, by: Buffer): Buffer | null;
  /** The normalisation of a convolution: out_i = f(1 + Σ_j (A_ij + B_ij)), where f is `rsqrt` or `reciprocal`. */
  degreeScale(out: Buffer, graph: Convolution, f: "rsqrt" | "reciprocal"): void;
  /**
   * The gradient of a {@link convolve} scaled on both sides: dX is the convolution of dZ (not stored if null), and
   * dScale_i = (dots_i + Σ_c dX_ic · X_ic) / scale_i, added to `dScale` if `accumulate`. `graph` must be transposed.
   */
  convolveGrad(args: ConvolveGradArguments): void;
  /**
   * The gradient of Y = finish(Z), [rows, cols]. With `finish.relu`, dZ = dY where Y > 0, else 0; without, dZ is dY and
   * the buffer `dZ` is not written. Also dots_i = Σ_c dZ_ic · (Y_ic − bias_c) = ⟨dZ_i, Z_i⟩. May write over dY.
   */
  finishGrad(args: FinishGradArguments): void;
  /**
   * {@link finishGrad} where Y has only some of the rows: dZ = S·dZ' and dots = S·dots', where dZ' and dots' are those
   * of the rows of Y and S is the matrix `places`, whose entries are all 1.
   */
  finishGradRows(args: FinishGradRowsArguments): void;
  /** The gradient of Y = max(X·W + b, 0) by X: dX = dZ·Wᵀ with dZ = dY where Y > 0, else 0; added to `dX` if `accumulate`. */
  reluGradProduct(dX: Buffer, dY: Buffer, Y: Buffer, W: Buffer, size: ReluGradSize): void;
  /**
   * The gradient of V = Y·W, Y = finish(Z): {@link finishGrad} of dY = mask(dV)·Wᵀ, [m, n]·[n, k]. mask(dV) = dV where
   * `above` = max(V + b, 0) is above 0, else 0: the gradient of relu. Without `above`, mask(dV) = dV.
   */
  productFinishGrad(args: ProductFinishGradArguments): void;
}

/** What {@link GraphConvolution.convolve} takes. */
export interface ConvolveArguments {
  readonly out: Buffer;
  readonly graph: Convolution;
  readonly X: Buffer;
  readonly cols: number;
  readonly scale: Scale;
  readonly finish?: FinishBuffers | undefined;
}

/** What {@link GraphConvolution.convolveRows} takes. */
export interface ConvolveRowsArguments {
  readonly out: Buffer;
  readonly rows: Buffer;
  readonly graph: Convolution;
  readonly X: Buffer;
  readonly cols: number;
  readonly scale: Scale;
  readonly finish?: FinishBuffers | undefined;
}

/** What {@link GraphConvolution.convolveGrad} takes. */
export interface ConvolveGradArguments {
  readonly grads: ConvolveGrads;
  readonly graph: Convolution;
  readonly dZ: Buffer;
  readonly X: Buffer;
  readonly cols: number;
  readonly scale: ScaleGrad;
}

/** What {@link GraphConvolution.finishGrad} takes. */
export interface FinishGradArguments {
  readonly dZ: Buffer;
  readonly dots: Buffer;
  readonly dY: Buffer;
  readonly Y: Buffer;
  readonly rows: number;
  readonly cols: number;
  readonly finish: FinishBuffers;
}

/** What {@link GraphConvolution.finishGradRows} takes. */
export interface FinishGradRowsArguments {
  readonly dZ: Buffer;
  readonly dots: Buffer;
  readonly dY: Buffer;
  readonly Y: Buffer;
  readonly places: CsrBuffers;
  readonly cols: number;
  readonly finish: FinishBuffers;
}

/** What {@link GraphConvolution.productFinishGrad} takes. */
export interface ProductFinishGradArguments {
  readonly dZ: Buffer;
  readonly dots: Buffer;
  readonly dV: Buffer;
  readonly W: Buffer;
  readonly Y: Buffer;
  readonly size: Omit<ReluGradSize, "accumulate">;
  readonly finish: FinishBuffers;
  readonly above: Buffer | null;
}

/** The edges of a convolution: those of a graph, and weighted ones on top. */
export interface Convolution {
  /** `values` is null: every edge has weight 1. */
  readonly A: CsrBuffers;
  /** Has values. */
  readonly B: CsrBuffers | null;
  /** The list from {@link GraphConvolution.mergeEdges}, made with the same factors that scale the right side. */
  readonly merged?: Buffer | null;
}

/** Where the gradients of a convolution go; `dX` is null if it is not needed. */
export interface ConvolveGrads {
  readonly dX: Buffer | null;
  readonly dScale: Buffer;
}

/** Factors of both sides of a convolution; dots_i = ⟨dZ_i, Z_i⟩ is scale_i times the gradient by the left factor. */
export interface ScaleGrad {
  readonly by: Buffer;
  readonly dots: Buffer;
  readonly accumulate?: boolean;
}

/** Y is [m, n] and W is [k, n]; the gradient is multiplied by Wᵀ. */
export type ReluGradSize = Pick<MatmulSize, "m" | "n" | "k" | "accumulate">;
