import { check } from "../core/errors.ts";
import { addSelfLoops } from "../graph/self-loops.ts";
import { exactPageRank } from "../ppr/exact.ts";
import { empty, filled, type GraphView, IntTensor, record, SparseMatrix, scope, Tensor } from "../tensor/index.ts";
import { TopKMatrix } from "./top-k-matrix.ts";

export interface DiffusionOptions {
  /** Restart probability α of PageRank. */
  readonly alpha: number;
  /** Entries kept per row. */
  readonly k: number;
}

/** Accuracy of the exact PageRank; tests that compare gradients in float64 ask for more. */
const TOLERANCE = 1e-6;

/**
 * The propagation matrix of GDC (Gasteiger et al. 2019) from exact PageRank Π of `A ⊕ p`: per row the k largest entries
 * (constant places, also in the gradient), divided by their sum, and normalised once more by column sums.
 *
 * Differentiable by all pairs of an overlay. With an overlay three n × n matrices are needed, without one.
 */
export function exactDiffusion(view: GraphView, options: DiffusionOptions, tolerance = TOLERANCE): TopKMatrix {
  check(!view.graph.directed, () => "gdc: exact PageRank needs an undirected graph; choose method push");
  const forward = new ExactForward(view, options, tolerance);
  const P = forward.matrix;
  const weights = view.overlay?.signedWeights ?? null;
  record(P.values, [weights], (dP) => [(into) => weightGradient(view, forward, dP, into)]);
  return P;
}

/** What the forward pass computes, as the gradient needs it. */
class ExactForward {
  readonly alpha: number;
  /** Π, [n, n], symmetric. */
  readonly pageRank: Tensor;
  /** deg of A ⊕ p + I. */
  readonly degrees: Tensor;
  /** Π on the kept entries, [n, k]. */
  readonly kept: Tensor;
  /** 1 / r_i, r the row sums of `kept`. */
  readonly inverseSums: Tensor;
  /** T = kept / r. */
  readonly T: Tensor;
  /** c_j = Σ_i T_ij. */
  readonly columnSums: Tensor;
  /** 1 / √(c_i c_j) on the kept entries. */
  readonly scale: Tensor;
  /** P = T / √(c_i c_j). */
  readonly matrix: TopKMatrix;

  constructor({ backend, graph, overlay }: GraphView, { alpha, k }: DiffusionOptions, tolerance: number) {
    const n = graph.numNodes;
    const width = Math.min(k, n);
    checkDiagonalIsKept(alpha, width, n);
    const clean = SparseMatrix.upload(backend, addSelfLoops(graph.adjacency)).buffers;
    const parts = overlay ? [clean, overlay.active] : [clean];
    const { matrix, degrees } = exactPageRank(backend, { numNodes: n, parts }, { alpha, tolerance });
    this.alpha = alpha;
    this.pageRank = new Tensor(backend, matrix, [n, n]);
    this.degrees = new Tensor(backend, degrees, [n]);
    const columns = new IntTensor(backend, backend.alloc("i32", n * width));
    this.kept = empty(backend, [n, width]);
    backend.topKRows(columns.buffer, this.kept.buffer, matrix, n, n, width);

    this.inverseSums = empty(backend, [n]);
    backend.rowDots(this.inverseSums.buffer, this.kept.buffer, null, n, width);
    backend.unary("reciprocal", this.inverseSums.buffer, this.inverseSums.buffer);
    this.T = empty(backend, [n, width]);
    backend.scaleRows(this.T.buffer, this.kept.buffer, this.inverseSums.buffer, n, width);
    this.matrix = new TopKMatrix(columns, empty(backend, [n, width]));
    this.columnSums = columnSums(this.matrix, this.T);
    this.scale = scope(() => rootProducts(this.matrix, this.columnSums));
    backend.binary("mul", this.matrix.values.buffer, this.T.buffer, this.scale.buffer);
  }
}

/**
 * A diagonal entry is at least α, and an entry of its row that exceeds it is one of fewer than 1/α: it belongs to a node
 * of higher degree, to which a walk goes with probability above α. So k ≥ 1/α keeps the diagonal, and no self loop is
 * ever missing from the second normalisation.
 */
export function checkDiagonalIsKept(alpha: number, k: number, numNodes: number): void {
  check(
    k >= numNodes || k * alpha >= 1,
    () => `gdc: k must be at least 1 / alpha = ${Math.ceil(1 / alpha)}, so that each node keeps itself, got ${k}`,
  );
}

/** 1 / √(c_i c_j) per entry. */
function rootProducts(P: TopKMatrix, c: Tensor): Tensor {
  const { backend, entries } = P;
  const root = empty(backend, c.shape);
  backend.unary("rsqrt", root.buffer, c.buffer);
  const [own, other] = [empty(backend, P.values.shape), empty(backend, P.values.shape)];
  backend.pairSums(own.buffer, entries, root.buffer, "source");
  backend.pairSums(other.buffer, entries, root.buffer, "target");
  backend.binary("mul", own.buffer, own.buffer, other.buffer);
  return own;
}

/** Σ over each column of values on the kept entries. */
function columnSums(P: TopKMatrix, values: Tensor): Tensor {
  const sums = filled(P.backend, [P.numNodes], 0);
  P.backend.scatterAddRows(sums.buffer, values.buffer, P.columns.buffer, P.numNodes, 1);
  return sums;
}

function rowSums(P: TopKMatrix, A: Tensor, B: Tensor | null): Tensor {
  const sums = empty(P.backend, [P.numNodes]);
  P.backend.rowDots(sums.buffer, A.buffer, B?.buffer ?? null, P.numNodes, P.k);
  return sums;
}

/**
 * ∂L/∂p for every pair of the overlay, from ∂L/∂P. With S = ∂L/∂Â = (1 − α)/α·ΠΠ̄Π only S + Sᵀ = (1 − α)/α·ΠB is needed,
 * B = (Π̄ + Π̄ᵀ)Π: one dot product of length n per pair.
 */
function weightGradient(view: GraphView, forward: ExactForward, dP: Tensor, into: Tensor | null): Tensor {
  const { backend } = view;
  const { pairs, signedWeights, factors } = view.overlay!;
  const { alpha, pageRank, degrees } = forward;
  const n = forward.matrix.numNodes;
  const dKept = keptGradient(forward, dP);
  const B = gradientTimesPageRank(forward, dKept);
  const right = empty(backend, [n, n]); // Bᵀ
  backend.transpose(right.buffer, B.buffer, n, n);
  B.dispose();
  const t = degreeGradient(forward, dKept, right);
  const s = empty(backend, [n]);
  backend.unary("rsqrt", s.buffer, degrees.buffer);
  backend.scaleRows(right.buffer, right.buffer, s.buffer, n, n);
  const both = factors ? 0.5 : 1; // factors add ⟨left_j, right_i⟩, which is the same number
  backend.affine(s.buffer, (both * (1 - alpha)) / alpha, s.buffer, 0, null, 0);
  const left = pageRank.buffer; // overwritten: nobody needs Π any more
  backend.scaleRows(left, left, s.buffer, n, n);
  if (factors) {
    factors.addProduct(pageRank, right);
    factors.addSums(t, "both");
    right.dispose();
    return into ?? filled(backend, signedWeights.shape, 0);
  }
  const dw = into ?? empty(backend, signedWeights.shape); // s_i s_j (S_ij + S_ji) + t_i + t_j
  backend.sddmm(dw.buffer, pairs, left, right.buffer, n, { accumulate: into !== null });
  backend.pairSums(dw.buffer, pairs, t.buffer, "both", true);
  right.dispose();
  return dw;
}

/** B = (Π̄ + Π̄ᵀ)·Π, [n, n]. */
function gradientTimesPageRank({ matrix: P, pageRank }: ExactForward, dKept: Tensor): Tensor {
  const { backend, numNodes: n } = P;
  const B = empty(backend, [n, n]);
  backend.spmm(B.buffer, P.buffers(dKept), pageRank.buffer, n);
  backend.spmm(B.buffer, P.transposedWith(dKept), pageRank.buffer, n, true);
  return B;
}

/** Π̄ on the kept entries: back through both normalisations. */
function keptGradient({ matrix: P, T, columnSums: c, scale, inverseSums }: ExactForward, dP: Tensor): Tensor {
  const { backend, entries, numNodes: n, k } = P;
  const product = empty(backend, P.values.shape);
  backend.binary("mul", product.buffer, P.values.buffer, dP.buffer);
  const gamma = columnSums(P, product); // γ_j = −(Σ_i P_ij P̄_ij + Σ_l P_jl P̄_jl) / (2 c_j)
  add(gamma, rowSums(P, product, null));
  backend.binary("div", gamma.buffer, gamma.buffer, c.buffer);
  backend.affine(gamma.buffer, -0.5, gamma.buffer, 0, null, 0);
  const dT = product; // T̄_ij = P̄_ij / √(c_i c_j) + γ_j
  backend.binary("mul", dT.buffer, dP.buffer, scale.buffer);
  backend.pairSums(dT.buffer, entries, gamma.buffer, "target", true);
  const inner = rowSums(P, T, dT); // Π̄_ij = (T̄_ij − Σ_l T_il T̄_il) / r_i
  backend.affine(inner.buffer, -1, inner.buffer, 0, null, 0);
  backend.pairSums(dT.buffer, entries, inner.buffer, "source", true);
  backend.scaleRows(dT.buffer, dT.buffer, inverseSums.buffer, n, k);
  return dT;
}

/**
 * t_i = −(1 / 2deg_i) Σ_k Â_ik (S_ik + S_ki), the share of the degrees. With S = (1 − α)/α·ΠΠ̄Π and
 * ÂΠ = (Π − αI) / (1 − α) the sum is (1/α)⟨Π_i, right_i⟩ − Σ_l (Π̄_il + Π̄_li)Π_il, and no edge needs to be looked at.
 */
function degreeGradient(forward: ExactForward, dKept: Tensor, right: Tensor): Tensor {
  const { matrix: P, alpha, pageRank, kept, degrees } = forward;
  const { backend, numNodes: n } = P;
  const product = empty(backend, kept.shape);
  backend.binary("mul", product.buffer, kept.buffer, dKept.buffer);
  const local = columnSums(P, product);
  add(local, rowSums(P, product, null));
  const t = empty(backend, [n]);
  backend.rowDots(t.buffer, pageRank.buffer, right.buffer, n, n);
  backend.affine(t.buffer, -0.5 / alpha, t.buffer, 0.5, local.buffer, 0);
  backend.binary("div", t.buffer, t.buffer, degrees.buffer);
  return t;
}

function add(to: Tensor, other: Tensor): void {
  to.backend.affine(to.buffer, 1, to.buffer, 1, other.buffer, 0);
}
