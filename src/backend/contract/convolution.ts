import type { FinishBuffers, MatmulSize } from "./dense-products.ts";
import type { Scale } from "./sparse-products.ts";
import type { Buffer, CsrBuffers } from "./storage.ts";

/** Graph convolution: products with a normalised adjacency matrix that never exists, and the way back through them. */
export interface GraphConvolution {
  /**
   * A step of graph convolution with self loops: out = finish(L·(A + B + I)·R·X) with the square patterns A, which has no
   * values, and perhaps B, which has, and the diagonal matrices L and R of `scale`, each the identity on a side it is not for.
   */
  convolve(args: ConvolveArguments): void;
  /** Some rows of a {@link convolve}: out_t is row rows_t of it. */
  convolveRows(args: ConvolveRowsArguments): void;
  /**
   * The entries of A + B in one list, with the factors of their columns in them, for convolutions that are scaled by the same
   * factors on the right; the caller frees it. Null where a list would not fit, or would not make anything faster.
   */
  mergeEdges(graph: Convolution, by: Buffer): Buffer | null;
  /** The normalisation of a convolution: out_i = f(1 + Σ_j A_ij + B_ij), f being `rsqrt` or `reciprocal`. */
  degreeScale(out: Buffer, graph: Convolution, f: "rsqrt" | "reciprocal"): void;
  /**
   * The gradient of a {@link convolve} scaled on both sides: dX is the convolution of dZ (not stored if null), and
   * dScale_i = (dots_i + Σ_c dX_ic · X_ic) / scale_i, added to `dScale` if `accumulate`. `graph` is the transposed one.
   */
  convolveGrad(args: ConvolveGradArguments): void;
  /**
   * The gradient of Y = finish(Z), [rows, cols]: dZ = dY where Y > 0, else 0, if `finish.relu`; otherwise dZ = dY, and its
   * buffer is left alone. And dots_i = Σ_c dZ_ic · (Y_ic − bias_c), which is ⟨dZ_i, Z_i⟩. May write over dY.
   */
  finishGrad(args: FinishGradArguments): void;
  /**
   * {@link finishGrad} where Y holds only some of the rows: dZ and dots are S·dZ and S·dots of these rows, with the matrix of
   * ones S of `places`.
   */
  finishGradRows(args: FinishGradRowsArguments): void;
  /** The gradient of Y = max(X·W + b, 0) by X: dX = dZ·Wᵀ with dZ = dY where Y > 0, else 0; added to `dX` if `accumulate`. */
  reluGradProduct(dX: Buffer, dY: Buffer, Y: Buffer, W: Buffer, size: ReluGradSize): void;
  /**
   * The gradient of V = Y·W, Y = finish(Z): {@link finishGrad} of dY = dV·Wᵀ, [m, n]·[n, k]. With `above`, which is
   * max(V + b, 0), dV counts only where that is above 0.
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
  /** `values` is null: every edge counts 1. */
  readonly A: CsrBuffers;
  /** Has values. */
  readonly B: CsrBuffers | null;
  /** What {@link GraphConvolution.mergeEdges} made of them and of the factors that the right side is scaled by. */
  readonly merged?: Buffer | null;
}

/** Where the gradients of a convolution go; no `dX` where nobody needs it. */
export interface ConvolveGrads {
  readonly dX: Buffer | null;
  readonly dScale: Buffer;
}

/** The factors of a convolution on both sides, and ⟨dZ_i, Z_i⟩: scale_i times the gradient by the factor on the left. */
export interface ScaleGrad {
  readonly by: Buffer;
  readonly dots: Buffer;
  readonly accumulate?: boolean;
}

/** Y is [m, n], W is [k, n] transposed. */
export type ReluGradSize = Pick<MatmulSize, "m" | "n" | "k" | "accumulate">;
