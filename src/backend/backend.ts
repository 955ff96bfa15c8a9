import type { Key } from "../core/philox.ts";
import type { Csr } from "../graph/csr.ts";

/**
 * The contract between everything above and a device: buffers, and the list of kernels.
 *
 * Kernels know buffers and sizes, not shapes, gradients or graphs. Each writes into buffers the caller allocated. The
 * slow float64 versions in `reference/` define what each one computes; `test/contract/` runs every backend against
 * them (rule R2). Launching is synchronous; only {@link Backend.read} waits for results.
 *
 * Matrices are dense and row-major. `f32` buffers hold 32-bit floats (the reference backend computes and stores in
 * float64), `i32` buffers hold indices and counts.
 *
 * Buffers may be longer than a kernel needs; shorter ones are a `ShapeError`. An output overlaps an input only where
 * "in place" is said. A scalar that is compared with stored floats (`floor`) is rounded to f32 first where f32 is
 * stored, so that a weight at the floor is never above it. NaN passes through arithmetic; selections (`argmaxRows`,
 * `topK`, `max`, the kernels of blocks) promise nothing about it.
 */
export interface Backend {
  readonly name: string;
  readonly memory: MemoryUse;

  /** Uninitialised storage. Throws a `MemoryError` that says what was asked and what is free. */
  alloc(dtype: DType, length: number): Buffer;
  /** A new buffer with a copy of these values: `i32` from an Int32Array, `f32` from floats. */
  upload(data: Float32Array | Float64Array | Int32Array): Buffer;
  /** Overwrites the first `data.length` elements. */
  write(buffer: Buffer, data: Float32Array | Float64Array | Int32Array): void;
  /** A copy of the values, once all launched work is done. */
  read(buffer: Buffer): Promise<Float32Array | Float64Array | Int32Array>;
  /**
   * Elements `begin` … `begin + length − 1` of a buffer as a buffer that shares its storage; `begin` is a multiple of 64. It
   * ends with the buffer and is not freed itself.
   */
  view(buffer: Buffer, begin: number, length: number): Buffer;
  /** Gives storage back; using the buffer afterwards is an error. */
  free(buffer: Buffer): void;
  /** Ends worker threads or releases the device. */
  close(): Promise<void>;

  // -- elementwise, over the first out.length elements of each input ----------------------------------------------

  fill(out: Buffer, value: number): void;
  /** out = X, both f32 or both i32. */
  copy(out: Buffer, X: Buffer): void;
  /** out = X if chosen_0 > 0, else nothing happens: a choice made on the device, which nobody waits for. */
  copyIf(out: Buffer, X: Buffer, chosen: Buffer): void;
  /** chosen_0 = 1 and best_0 = score_0 if score_0 < best_0, else chosen_0 = 0. */
  improve(chosen: Buffer, best: Buffer, score: Buffer): void;
  /** out = f(X). May work in place. */
  unary(kind: Unary, out: Buffer, X: Buffer): void;
  /** dX = dY · f'(X), given input X and output Y = f(X); at a kink the slope from the left. May write over dY. */
  unaryGrad(kind: Unary, dX: Buffer, dY: Buffer, X: Buffer, Y: Buffer): void;
  /** out = A ∘ B for one of the four operations. May work in place. */
  binary(kind: Binary, out: Buffer, A: Buffer, B: Buffer): void;
  /** out = a·A + b·B + c (B absent: a·A + c). May work in place. */
  affine(out: Buffer, a: number, A: Buffer, b: number, B: Buffer | null, c: number): void;
  /** out = min(max(X, low), high). May work in place. */
  clip(out: Buffer, X: Buffer, low: number, high: number): void;
  /**
   * Inverted dropout: out_e = X_e / (1 − rate) where 16 bits of Philox reach the threshold of `rate`
   * (`dropout-threshold.ts`), else 0: half `e & 1` (the lower one first) of word `(e >> 1) & 3` of counter `e >> 3`.
   * Applied to dY with the same key it is its own gradient. May work in place.
   */
  dropout(out: Buffer, X: Buffer, rate: number, key: Key): void;
  /** out = dropout(max(X, 0)), element by element as above. May work in place. */
  reluDropout(out: Buffer, X: Buffer, rate: number, key: Key): void;
  /** dX = dY / (1 − rate) where Y > 0, else 0, given the output Y of {@link reluDropout}. May write over dY. */
  reluDropoutGrad(dX: Buffer, dY: Buffer, Y: Buffer, rate: number): void;

  // -- rows and columns of a [rows, cols] matrix ------------------------------------------------------------------

  /** out_ic = scale_i · X_ic, added to `out` if `accumulate`. May work in place. */
  scaleRows(out: Buffer, X: Buffer, scale: Buffer, rows: number, cols: number, accumulate?: boolean): void;
  /** out_ic = scale_c · X_ic + shift_c (either may be absent). May work in place. */
  affineCols(out: Buffer, X: Buffer, scale: Buffer | null, shift: Buffer | null, rows: number, cols: number): void;
  /** out_i = Σ_c A_ic · B_ic (B absent: Σ_c A_ic). */
  rowDots(out: Buffer, A: Buffer, B: Buffer | null, rows: number, cols: number): void;
  /** out_c = Σ_i A_ic · B_ic (B absent: Σ_i A_ic), in fixed chunks of rows added in order. */
  colDots(out: Buffer, A: Buffer, B: Buffer | null, rows: number, cols: number): void;
  /**
   * Batch normalisation over rows: mean_c and variance_c (divided by `rows`) of the columns of X, which come back, and
   * out = γ ∘ (X − mean) / √(variance + epsilon) + β, where 1 / √0 is 0.
   */
  batchNorm(
    out: Buffer,
    X: Buffer,
    columns: BatchNormColumns,
    beta: Buffer,
    epsilon: number,
    rows: number,
    cols: number,
  ): void;
  /**
   * The gradients of {@link batchNorm}, given mean and variance: with x̂ = (X − mean) / √(variance + epsilon), dβ = Σ_i dY_i,
   * dγ = Σ_i dY_i ∘ x̂_i and dX = γ / √(variance + epsilon) ∘ (dY − (dβ + x̂ ∘ dγ) / rows). May write dX over dY.
   */
  batchNormGrad(
    grads: BatchNormGrads,
    dY: Buffer,
    X: Buffer,
    columns: BatchNormColumns,
    epsilon: number,
    rows: number,
    cols: number,
  ): void;
  softmaxRows(out: Buffer, X: Buffer, rows: number, cols: number): void;
  /** dX_i = Y_i ∘ (dY_i − ⟨dY_i, Y_i⟩). */
  softmaxRowsGrad(dX: Buffer, dY: Buffer, Y: Buffer, rows: number, cols: number): void;
  logSoftmaxRows(out: Buffer, X: Buffer, rows: number, cols: number): void;
  /** dX_i = dY_i − exp(Y_i)·Σ_c dY_ic. */
  logSoftmaxRowsGrad(dX: Buffer, dY: Buffer, Y: Buffer, rows: number, cols: number): void;
  /**
   * out_i = index of the largest entry of row i, the first on ties; column `exclude_i` is passed over if given. −1 if
   * no column is left.
   */
  argmaxRows(out: Buffer, X: Buffer, rows: number, cols: number, exclude?: Buffer): void;
  /** out_ci = X_ic: a [rows, cols] matrix becomes [cols, rows]. */
  transpose(out: Buffer, X: Buffer, rows: number, cols: number): void;
  /**
   * The k ≤ cols largest entries of each row, the lower column on ties: their columns in ascending order in `columns`
   * (i32) and their values in `values`, k per row.
   */
  topKRows(columns: Buffer, values: Buffer, X: Buffer, rows: number, cols: number, k: number): void;
  /** out_t = X_{index_t}, whole rows, for each t of `index`. `out` and X are both f32 or both i32. */
  gatherRows(out: Buffer, X: Buffer, index: Buffer, cols: number): void;
  /**
   * out_{index_t} += X_t, whole rows, for each t of `index`, in the order of t for equal indices. `rows` is the number
   * of rows of `out`.
   */
  scatterAddRows(out: Buffer, X: Buffer, index: Buffer, rows: number, cols: number): void;
  /**
   * Groups the places of `index` by what stands there: `order` receives the places t in ascending order of index_t, the
   * lower first on ties, and `rowPtr` where each index begins, up to the rows = rowPtr.length − 1.
   */
  groupIndices(rowPtr: Buffer, order: Buffer, index: Buffer): void;
  /** out_t = X_{t, column_t}, for each t of `column`. */
  pick(out: Buffer, X: Buffer, column: Buffer, cols: number): void;
  /** out_{t, column_t} += x_t, for each t of `column`. */
  pickGrad(out: Buffer, x: Buffer, column: Buffer, cols: number): void;

  /**
   * out_t = X_{t, column_t} − X_{t, rival_t} for each t of `column`, with the largest other entry of the row, the first on ties, as
   * rival; there are at least two columns. Left out, with its gradient, by backends on which launches are free:
   * `tensor/ops/margins.ts` composes them there.
   */
  margins?(out: Buffer, rivals: Buffer, X: Buffer, column: Buffer, cols: number): void;
  /** dX_tc = x_t at column_t, −x_t at rival_t and 0 elsewhere: whole rows. */
  marginsGrad?(dX: Buffer, x: Buffer, column: Buffer, rivals: Buffer, cols: number): void;

  // -- reductions of the first input's length to one number, in fixed chunks added in order (rule R1) -------------

  /** out_0 = Σ_e A_e · B_e (B absent: Σ_e A_e). */
  dot(out: Buffer, A: Buffer, B: Buffer | null): void;
  /** out_0 = max_e X_e, −∞ if there is none. */
  max(out: Buffer, X: Buffer): void;
  /** out_0 = number of equal elements of two i32 buffers, as f32. */
  countEqual(out: Buffer, A: Buffer, B: Buffer): void;

  // -- products ---------------------------------------------------------------------------------------------------

  /** out = finish(op(A)·op(B)), [m, k]·[k, n] after transposition; the product is added to `out` first if `accumulate`. */
  matmul(out: Buffer, A: Buffer, B: Buffer, size: MatmulSize, finish?: FinishBuffers): void;
  /**
   * Back through Y = max(X·W + b, 0): dX = dZ·Wᵀ, [m, n]·[n, k], with dZ = dY where Y > 0, else 0, which never exists; added to
   * `dX` if `accumulate`. Left out by backends that gain nothing: `tensor/ops/linear.ts` makes dZ there.
   */
  reluGradProduct?(dX: Buffer, dY: Buffer, Y: Buffer, W: Buffer, size: ReluGradSize): void;
  /** out = S·X with X of `cols` columns, added to `out` if `accumulate`. */
  spmm(out: Buffer, S: CsrBuffers, X: Buffer, cols: number, accumulate?: boolean): void;
  /**
   * A step of graph convolution with self loops: out = finish(L·(A + B + I)·R·X) with the square patterns A, which has no
   * values, and perhaps B, which has, and the diagonal matrices L and R of `scale`, each the identity on a side it is not for.
   */
  convolve(out: Buffer, graph: Convolution, X: Buffer, cols: number, scale: Scale, finish?: FinishBuffers): void;
  /**
   * Back through Y = finish(Z) of a [rows, cols] matrix: dots_i = Σ_c dZ_ic · (Y_ic − bias_c), and dZ = dY where Y > 0, else 0,
   * if `finish.relu`; otherwise dZ = dY, and its buffer is left alone. May write over dY.
   */
  finishGrad(dZ: Buffer, dots: Buffer, dY: Buffer, Y: Buffer, rows: number, cols: number, finish: FinishBuffers): void;
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
  /** out_e = x_i, x_j or x_i + x_j of pair e, added to `out` if `accumulate`. */
  pairSums(out: Buffer, pairs: PairBuffers, x: Buffer, ends: "source" | "target" | "both", accumulate?: boolean): void;
  /**
   * All terms of a gradient by undirected pairs in one pass: out_e = sign_e·(Σ ⟨P_i, Q_j⟩ + ⟨P_j, Q_i⟩ + Σ x_i + x_j), with
   * what `out` held inside the brackets if `accumulate`, and no sign without `signs`. Left out by backends that
   * gain nothing by one pass: `tensor/edge-factors.ts` takes one term after the other there.
   */
  pairTerms?(out: Buffer, pairs: PairBuffers, terms: PairTerms, options?: PairTermsOptions): void;

  /**
   * Exact PageRank α(I − (1 − α)D^(−1/2)·S·D^(−1/2))⁻¹, [n, n], of a symmetric S = Σ parts whose diagonal is above 0 and
   * whose row sums are `degrees`. `ppr/exact.ts` says how exact and composes it where a backend has no better way.
   */
  pageRank?(out: Buffer, parts: readonly CsrBuffers[], degrees: Buffer, options: PageRankOptions): void;

  /**
   * PageRank of the same matrix row by row, by push: residuals move from node v to its neighbours w in shares S_vw / deg_v
   * until that of each node is below α·ε·deg, the node that has waited longest first. (`ppr/push.ts` takes the last first: the
   * published order, which needs many more steps for the same bound.) Of the estimates p of row u that push leaves, the
   * `support` and the `k` ≤ support largest are kept (the node that was reached first on ties) and written as
   * p_v · √deg_u / √deg_v, `support` or `k` per row: the first in the order in which nodes were reached, the second by
   * ascending column. Places that are left over name node u with value 0.
   */
  localPageRank?(out: LocalRows, parts: readonly CsrBuffers[], degrees: Buffer, options: LocalPageRankOptions): void;
  /**
   * Two sparse matrices around a third, M = P·K·Pᵀ with P of one row per node: out_e = M_ij + M_ji for each pair (i, j), and
   * diagonal_i = 2 M_ii.
   */
  sandwich?(out: Buffer, diagonal: Buffer, pairs: PairBuffers, P: CsrBuffers, K: CsrBuffers): void;

  // -- softmax over the stored entries of each row of a sparse matrix (attention) ---------------------------------

  /** out_e = softmax over row i of x, for the entries e of row i. The values of S play no part. */
  edgeSoftmax(out: Buffer, S: CsrBuffers, x: Buffer): void;
  /** dx_e = y_e (dy_e − Σ_{e' in row} dy_e' y_e'). */
  edgeSoftmaxGrad(dx: Buffer, S: CsrBuffers, dy: Buffer, y: Buffer): void;

  // -- robust aggregation: rows of X weighed by the stored values (at least 0; 1 where S has none) of a sparse matrix --

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
   * row without weight has shares and result 0.
   */
  softMedian(out: Buffer, saved: SoftMedianSaved, S: CsrBuffers, X: Buffer, cols: number, temperature: number): void;
  /**
   * The part of Soft Median's gradient that each row can tell alone, given dY: with q = a ∘ share, e_j = W ⟨dY_i, x_j⟩ and
   * ē = Σ q_l e_l, values_j = share_j (e_j − ē) + ē / W. And, if `toX` is there, what dX is made of: the terms
   * direct_j = W q_j and pull_j = −q_j (e_j − ē) / (T cols c_j), 0 where c_j = 0, and medianGrad_i = −Σ_j pull_j (x_j − m).
   */
  softMedianGrad(
    values: Buffer | null,
    toX: SoftMedianToX | null,
    dY: Buffer,
    S: CsrBuffers,
    X: Buffer,
    saved: SoftMedianSaved,
    cols: number,
    temperature: number,
  ): void;
  /**
   * dX_j = Σ_i direct_ji G_i + pull_ji (X_j − M_i) over the entries (j, i) of the pattern S, which has one row per row of
   * dX, added to `dX` if `accumulate`. `terms` holds direct and pull of each entry; the values of S play no part. With `held`,
   * grad_ic is added to dX_jc as well where j = at_ic, which must be an entry of S with X_jc = M_ic, or −1.
   */
  pullRows(dX: Buffer, S: CsrBuffers, from: PulledFrom, cols: number, accumulate?: boolean): void;
  /**
   * Soft Medoid: with δ_j = Σ_l a_l ‖x_j − x_l‖ and s = softmax(−δ / T) over the entries of row i, q_j = s_j a_j / Σ_l s_l a_l
   * (q = s without `weightCorrection`) and out_i = scale_i Σ_j q_j x_j. `shares` receives q, one per entry.
   */
  softMedoid(out: Buffer, shares: Buffer, S: CsrBuffers, X: Buffer, cols: number, options: SoftMedoidOptions): void;
  /**
   * Adds to dX the gradient of Soft Medoid by X; the weights are constants. With e_j = scale_i ⟨dY_i, x_j⟩, ē = Σ q_l e_l and
   * t_j = −q_j (e_j − ē) / T: scale_i q_j dY_i + Σ_l (t_j a_l + t_l a_j) (x_j − x_l) / ‖x_j − x_l‖ to row j, equal points 0.
   */
  softMedoidGrad(
    dX: Buffer,
    dY: Buffer,
    shares: Buffer,
    S: CsrBuffers,
    X: Buffer,
    cols: number,
    options: SoftMedoidOptions,
  ): void;

  // -- selection and optimisation ---------------------------------------------------------------------------------

  /** Indices of the k = out.length ≤ X.length largest values, in descending order, the lower index first on ties. */
  topK(out: Buffer, X: Buffer): void;
  /**
   * One step of Adam with L2 decay added to the gradient: g = gradient + weightDecay·parameter, parameter −=
   * learningRate · m̂ / (√v̂ + epsilon) with bias-corrected m̂, v̂; `step` counts from 1. Updates all but `gradient`.
   */
  adam(parameter: Buffer, gradient: Buffer, m: Buffer, v: Buffer, options: AdamOptions): void;

  // -- blocks of candidate pairs ----------------------------------------------------------------------------------

  /**
   * Projection onto the budget, in place: x ← clip(x − λ, floor, 1 − floor) with λ = 0 if Σ clip(x, 0, 1) ≤ budget,
   * else the smallest λ with Σ clip(x − λ, 0, 1) = budget. `out` receives [Σ clip(x, 0, 1) before, λ]. With `ascent`
   * everything starts from x + rate·gradient.
   */
  projectOntoBudget(out: Buffer, x: Buffer, budget: number, floor: number, ascent?: Ascent): void;
  /**
   * A whole new block: `pairs.sources` and `pairs.targets` receive `pairs.length` distinct pairs in ascending order of
   * their index (`graph/pair-index.ts`). Draw t from a range of size w ≤ 2^16 is the upper half of the 64-bit product of w
   * and word t mod 4 of Philox counter ⌊t / 4⌋; from a larger range, that of the 128-bit product of w and the word
   * `word1 · 2^32 + word0` of counter t (a counter c is (c mod 2^32, c / 2^32, 0, 0)). Stratified: the range is cut into
   * `length` strata whose sizes differ by at most one, the larger first, and stratum t takes draw t.
   * Uniform: draws 0, 1, … from the whole range until `length` are distinct. More pairs than there are is an error.
   */
  samplePairs(pairs: PairBuffers, draw: PairDraw, key: Key): void;
  /**
   * Replaces the pairs that are not worth keeping. Kept: the entries with weight > floor, at most ⌊length / 2⌋ of them,
   * the largest first (lower index on ties). The other places are filled by a draw, as in {@link samplePairs}, from the
   * pairs that are not kept, numbered in ascending order; a dropped pair may be drawn again. `pairs` are ascending;
   * `next`, a block of the same length over the same nodes, receives the new ones in ascending order and `nextWeights`
   * the kept weights, and `floor` elsewhere.
   */
  resamplePairs(
    next: PairBuffers,
    nextWeights: Buffer,
    pairs: PairBuffers,
    weights: Buffer,
    floor: number,
    draw: PairDraw,
    key: Key,
  ): void;
  /** out_e = −1 if S stores entry (source_e, target_e), else +1, times what `out` held if `turn`. Rows of S are sorted. */
  pairSigns(out: Buffer, pairs: PairBuffers, S: CsrBuffers, turn?: boolean): void;
  /**
   * The entries of a block that count, as a matrix: value sign_e · weight_e at (source_e, target_e), and at its mirror
   * image if the pairs are undirected, for all e with weight_e > floor. Rows sorted; what comes twice has two entries, in
   * any order. `colIdx` and `values` may be longer than the rowPtr[numRows] entries they hold. The caller frees the three
   * buffers.
   */
  activeMatrix(pairs: PairBuffers, signs: Buffer, weights: Buffer, floor: number): CsrBuffers;

  // -- work that lives on the host -----------------------------------------------------------------------------------

  /**
   * The k largest entries of rows of personalised PageRank, on the backend's CPU threads. `ppr/push.ts` defines it, bit
   * by bit, and stands in where a backend has no threads of this kind.
   */
  pushRows?(A: Csr, nodes: Int32Array, options: PushOptions & { readonly k: number }): Csr;
}

export type DType = "f32" | "i32";

/** Storage on a device. Opaque: only the backend that made it knows what is inside. */
export interface Buffer {
  readonly dtype: DType;
  readonly length: number;
}

/** Bytes in use now and at most since the backend was made or {@link resetPeak} was called. */
export interface MemoryUse {
  readonly current: number;
  readonly peak: number;
  resetPeak(): void;
}

/** Compressed sparse rows. `values: null` means all stored entries are 1. */
export interface CsrBuffers {
  readonly numRows: number;
  readonly numCols: number;
  readonly rowPtr: Buffer;
  readonly colIdx: Buffer;
  readonly values: Buffer | null;
}

/** Node pairs; undirected ones have source < target. */
export interface PairBuffers {
  readonly numNodes: number;
  readonly directed: boolean;
  readonly length: number;
  readonly sources: Buffer;
  readonly targets: Buffer;
}

export interface MatmulSize {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly transA?: boolean;
  readonly transB?: boolean;
  readonly accumulate?: boolean;
}

/** Y is [m, n], W is [k, n] transposed. */
export type ReluGradSize = Pick<MatmulSize, "m" | "n" | "k" | "accumulate">;

/** What batch normalisation knows of each column. */
export interface BatchNormColumns {
  readonly mean: Buffer;
  readonly variance: Buffer;
  readonly gamma: Buffer;
}

export interface BatchNormGrads {
  readonly dX: Buffer;
  readonly dGamma: Buffer;
  readonly dBeta: Buffer;
}

export interface SddmmOptions {
  readonly symmetric?: boolean;
  readonly accumulate?: boolean;
  readonly scale?: Scale;
}

/** A step along a gradient. */
export interface Ascent {
  readonly rate: number;
  readonly gradient: Buffer;
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

/** What a product goes through before it is stored: a bias per column is added, then what is below 0 becomes 0. */
export interface FinishBuffers {
  readonly bias?: Buffer | null;
  readonly relu?: boolean;
}

/** Factors of rows: the diagonal of L, of R, or of both, around a matrix between them. */
export interface Scale {
  readonly by: Buffer;
  readonly sides: "left" | "right" | "both";
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

/** The edges of a convolution: those of a graph, and weighted ones on top. */
export interface Convolution {
  /** `values` is null: every edge counts 1. */
  readonly A: CsrBuffers;
  /** Has values. */
  readonly B: CsrBuffers | null;
}

export interface PageRankOptions {
  /** Restart probability α. */
  readonly alpha: number;
  /** T_0(1 / (1 − α)), T_1, … of the Chebyshev polynomials, one per iteration. */
  readonly chebyshev: readonly number[];
}

/** Columns (i32) and values of entries of PageRank, a fixed number per row. */
export interface LocalRows {
  readonly columns: Buffer;
  readonly values: Buffer;
  readonly topColumns: Buffer;
  readonly topValues: Buffer;
}

export interface LocalPageRankOptions extends PushOptions {
  /** Entries kept per row. */
  readonly support: number;
  /** Those of them that are written apart. */
  readonly k: number;
  /** By which numbers entries are compared: those of the walk, p_v, or of the symmetric version, p_v / √deg_v. */
  readonly rank: "walk" | "symmetric";
}

/** What Soft Median's forward pass leaves for its gradient. */
export interface SoftMedianSaved {
  readonly median: Buffer;
  /** i32: the lowest column that holds each median, −1 in an empty row. */
  readonly at: Buffer;
  /** One per entry. */
  readonly shares: Buffer;
}

/** What rows pull from: numbers per entry of a pattern with one column per row of `G` and `M`, and a row of `X` each. */
export interface PulledFrom {
  readonly terms: Buffer;
  readonly G: Buffer;
  readonly M: Buffer;
  readonly X: Buffer;
  /** One number per row and column of `G`, and (i32) which row it goes to. */
  readonly held?: { readonly grad: Buffer; readonly at: Buffer };
}

/** What the gradient by the features is put together from: two numbers per entry, and one per row and column. */
export interface SoftMedianToX {
  readonly terms: Buffer;
  readonly medianGrad: Buffer;
}

export interface SoftMedoidOptions {
  readonly temperature: number;
  /** Factor of each row of the result: the sum of its weights, those left out included. */
  readonly scale: Buffer;
  readonly weightCorrection: boolean;
}

export interface AdamOptions {
  readonly step: number;
  readonly learningRate: number;
  readonly weightDecay: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
}

/** Elementwise functions. `rsqrt` and `reciprocal` map 0 to 0 (isolated nodes); `leakyRelu` has slope 0.2 below 0. */
export type Unary = "relu" | "leakyRelu" | "elu" | "tanh" | "exp" | "log" | "sqrt" | "rsqrt" | "reciprocal" | "square";

export interface PushOptions {
  /** Restart probability α. */
  readonly alpha: number;
  /** Tolerance ε: an entry misses at most ε times its degree. */
  readonly epsilon: number;
}

export type PairDraw = "stratified" | "uniform";

export type Binary = "add" | "sub" | "mul" | "div";
