import type { FinishBuffers } from "./dense-products.ts";
import type { Buffer, CsrBuffers, PairBuffers } from "./storage.ts";

/** Products along the edges of a graph or along pairs of nodes. */
export interface SparseProducts {
  /** out = S·X with X of `cols` columns, added to `out` if `accumulate`. */
  spmm(out: Buffer, S: CsrBuffers, X: Buffer, cols: number, accumulate?: boolean): void;
  /**
   * out = (S·X)ᵀ with X of `cols` columns. Left out by backends that gain nothing over {@link spmm} and a transposition:
   * `nn/diffusion/exact-diffusion.ts` takes these there.
   */
  spmmTransposed?(out: Buffer, S: CsrBuffers, X: Buffer, cols: number): void;
  /**
   * A step of graph convolution with self loops: out = finish(L·(A + B + I)·R·X) with the square patterns A, which has no
   * values, and perhaps B, which has, and the diagonal matrices L and R of `scale`, each the identity on a side it is not for.
   */
  convolve(out: Buffer, graph: Convolution, X: Buffer, cols: number, scale: Scale, finish?: FinishBuffers): void;
  /**
   * The entries of A + B side by side, with the factors of their columns in them, for convolutions that are scaled by the same
   * factors on the right side; the caller frees it. Null if there is no room. Left out by backends that gain nothing.
   */
  mergeEdges?(graph: Convolution, by: Buffer): Buffer | null;
  /**
   * Some rows of a {@link convolve}: out_t is row rows_t of it. Left out by backends that gain nothing: `tensor/ops/convolve.ts`
   * gathers them from all rows there.
   */
  convolveRows?(
    out: Buffer,
    rows: Buffer,
    graph: Convolution,
    X: Buffer,
    cols: number,
    scale: Scale,
    finish?: FinishBuffers,
  ): void;
  /**
   * Back through a {@link convolve} scaled on both sides, with the gradient by its factors in the same pass: dX is the convolution
   * of dZ, kept only where it is wanted, and dScale_i = (dots_i + Σ_c dX_ic · X_ic) / scale_i, added to `dScale` if `accumulate`.
   * `graph` is the transposed one. Left out by backends that gain nothing by one pass: `tensor/ops/convolve.ts` takes several there.
   */
  convolveGrad?(grads: ConvolveGrads, graph: Convolution, dZ: Buffer, X: Buffer, cols: number, scale: ScaleGrad): void;
  /**
   * Sampled dense-dense product, one float per pair: out_e = ⟨P_i, Q_j⟩, plus ⟨P_j, Q_i⟩ if `symmetric`, for
   * (i, j) = (sources_e, targets_e), added to `out` if `accumulate`. With `scale` P stands for L·P and Q for R·Q.
   */
  sddmm(out: Buffer, pairs: PairBuffers, P: Buffer, Q: Buffer, cols: number, options?: SddmmOptions): void;
  /** out_i = Σ_j S_ij (number of entries where S has no values), added to `out` if `accumulate`. */
  rowSums(out: Buffer, S: CsrBuffers, accumulate?: boolean): void;
  /**
   * What a convolution is normalised by: out_i = f(1 + Σ_j A_ij + B_ij), f being `rsqrt` or `reciprocal`. Left out by backends that
   * gain nothing by one pass: `tensor/ops/degrees.ts` takes one step after the other there.
   */
  degreeScale?(out: Buffer, graph: Convolution, f: "rsqrt" | "reciprocal"): void;
  /** out_e = x_i, x_j or x_i + x_j of pair e, added to `out` if `accumulate`, and then times sign_e if there are `signs`. */
  pairSums(
    out: Buffer,
    pairs: PairBuffers,
    x: Buffer,
    ends: "source" | "target" | "both",
    accumulate?: boolean,
    signs?: Buffer | null,
  ): void;
  /**
   * All terms of a gradient by undirected pairs in one pass: out_e = sign_e·(Σ ⟨P_i, Q_j⟩ + ⟨P_j, Q_i⟩ + Σ x_i + x_j), with
   * what `out` held inside the brackets if `accumulate`, and no sign without `signs`. Left out by backends that
   * gain nothing by one pass: `tensor/edge-factors.ts` takes one term after the other there.
   */
  pairTerms?(out: Buffer, pairs: PairBuffers, terms: PairTerms, options?: PairTermsOptions): void;
  /** out_e = softmax over row i of x, for the entries e of row i. The values of S play no part. */
  edgeSoftmax(out: Buffer, S: CsrBuffers, x: Buffer): void;
  /** dx_e = y_e (dy_e − Σ_{e' in row} dy_e' y_e'). */
  edgeSoftmaxGrad(dx: Buffer, S: CsrBuffers, dy: Buffer, y: Buffer): void;
}

/** Factors of rows: the diagonal of L, of R, or of both, around a matrix between them. */
export interface Scale {
  readonly by: Buffer;
  readonly sides: "left" | "right" | "both";
}

/** The edges of a convolution: those of a graph, and weighted ones on top. */
export interface Convolution {
  /** `values` is null: every edge counts 1. */
  readonly A: CsrBuffers;
  /** Has values. */
  readonly B: CsrBuffers | null;
  /** What {@link SparseProducts.mergeEdges} made of them and of the factors that the right side is scaled by. */
  readonly merged?: Buffer | null;
}

/** What goes back through a convolution. */
export interface ConvolveGrads {
  readonly dX: Buffer | null;
  readonly dScale: Buffer;
}

/** The factors of a convolution on both sides, and ⟨dZ_i, Z_i⟩, which is scale_i times the gradient by that of the left side. */
export interface ScaleGrad {
  readonly by: Buffer;
  readonly dots: Buffer;
  readonly accumulate?: boolean;
}

export interface SddmmOptions {
  readonly symmetric?: boolean;
  readonly accumulate?: boolean;
  readonly scale?: Scale;
}

/** Products of rows of P and Q, [n, cols], and sums over entries of vectors, [n], at the ends of a pair. */
export interface PairTerms {
  readonly products: readonly { readonly P: Buffer; readonly Q: Buffer; readonly cols: number }[];
  readonly sums: readonly Buffer[];
}

export interface PairTermsOptions {
  readonly signs?: Buffer | null;
  readonly accumulate?: boolean;
}
