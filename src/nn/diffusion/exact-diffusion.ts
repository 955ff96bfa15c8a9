import type { PairBuffers } from "../../backend/backend.ts";
import { check } from "../../core/errors.ts";
import { addSelfLoops } from "../../graph/self-loops.ts";
import { exactPageRank } from "../../ppr/exact.ts";
import { EdgeFactors } from "../../tensor/edge-factors.ts";
import { empty, type GraphView, hostGraph, IntTensor, type Overlay, SparseMatrix, Tensor } from "../../tensor/index.ts";
import { gradientByPairs } from "../../tensor/overlay.ts";
import { record } from "../../tensor/tape.ts";
import { checkDiagonalIsKept, NormalisedTopK } from "./normalised-top-k.ts";
import { addPairGradient, degreeGradient, type RelaxedPageRank } from "./page-rank-gradient.ts";
import type { TopKMatrix } from "./top-k-matrix.ts";

export interface DiffusionOptions {
  /** Restart probability α of PageRank. */
  readonly alpha: number;
  /** Entries kept per row. */
  readonly k: number;
}

/** Accuracy of the exact PageRank; tests that compare gradients in float64 ask for more. */
const TOLERANCE = 1e-6;

/**
 * The propagation matrix of GDC (Gasteiger et al. 2019) from exact PageRank Π of `A ⊕ p`: the k largest entries per
 * row, divided by their sum, then normalised by column sums. The gradient treats the places of the entries as constant.
 *
 * Differentiable with respect to all pairs of an overlay. Needs two n × n matrices at a time; its gradient needs three
 * on backends that multiply first and transpose afterwards (`spmmTransposed`).
 */
export function exactDiffusion(view: GraphView, options: DiffusionOptions, tolerance = TOLERANCE): TopKMatrix {
  check(!view.directed, () => "gdc: exact PageRank needs an undirected graph; choose method push");
  const forward = exactForward(view, options, tolerance);
  const { matrix } = forward.top;
  const { overlay } = view;
  record(matrix.values, [overlay?.signedWeights ?? null], (dP) => [
    () => gradientByPairs(overlay!, (gradient) => addGradient(gradient, overlay!.pairs, forward, dP)),
  ]);
  return matrix;
}

interface ExactForward extends RelaxedPageRank {
  /** Π, [n, n], symmetric. */
  readonly pageRank: Tensor;
}

function exactForward(view: GraphView, { alpha, k }: DiffusionOptions, tolerance: number) {
  const { backend, numNodes: n, overlay } = view;
  const width = Math.min(k, n);
  checkDiagonalIsKept(alpha, width, n);
  const clean = SparseMatrix.upload(backend, addSelfLoops(hostGraph(view, "gdc").adjacency)).buffers;
  const parts = overlay ? [clean, overlay.active] : [clean];
  const { matrix, degrees } = exactPageRank(backend, { numNodes: n, parts }, { alpha, tolerance });
  const pageRank = new Tensor(backend, matrix, [n, n]);
  const columns = new IntTensor(backend, backend.alloc("i32", n * width));
  const kept = empty(backend, [n, width]);
  backend.topKRows({ columns: columns.buffer, values: kept.buffer, X: matrix, rows: n, cols: n, k: width });
  return { alpha, pageRank, degrees: new Tensor(backend, degrees, [n]), top: new NormalisedTopK(columns, kept) };
}

/**
 * ∂L/∂p for every pair of the overlay, from ∂L/∂P. With S = ∂L/∂Â = (1 − α)/α·ΠΠ̄Π only S + Sᵀ = (1 − α)/α·ΠB is needed,
 * B = (Π̄ + Π̄ᵀ)Π: one dot product of length n per pair.
 */
function addGradient(gradient: Overlay["gradient"], pairs: PairBuffers, forward: ExactForward, dP: Tensor): void {
  const { pageRank, top } = forward;
  const { backend } = pageRank;
  const n = top.matrix.numNodes;
  const dKept = top.keptGradient(dP);
  const right = timesPageRank(forward, dKept);
  const diagonal = empty(backend, [n]);
  backend.rowDots(diagonal.buffer, pageRank.buffer, right.buffer, n, n);
  const t = degreeGradient(forward, dKept, diagonal);
  if (gradient instanceof EdgeFactors) {
    addFactors(gradient, forward, right, t);
    return;
  }
  const products = backend.alloc("f32", pairs.length);
  backend.sddmm({ out: products, pairs, P: pageRank.buffer, Q: right.buffer, cols: n });
  right.dispose();
  addPairGradient(gradient, pairs, forward, products, t);
}

/** Bᵀ = Π·(Π̄ + Π̄ᵀ), [n, n]. */
function timesPageRank({ top, pageRank }: ExactForward, dKept: Tensor): Tensor {
  const { backend, numNodes: n } = top.matrix;
  const right = empty(backend, [n, n]);
  const K = top.symmetricGradient(dKept);
  backend.spmmTransposed(right.buffer, K, pageRank.buffer, n);
  for (const buffer of [K.rowPtr, K.colIdx, K.values!]) backend.free(buffer);
  return right;
}

/** The gradient as factors for any pair: s∘Π and (1 − α)/α·s∘Bᵀ. */
function addFactors(gradient: EdgeFactors, { alpha, degrees, pageRank }: ExactForward, right: Tensor, t: Tensor): void {
  const { backend } = pageRank;
  const n = degrees.shape[0];
  const s = empty(backend, [n]);
  backend.unary("rsqrt", s.buffer, degrees.buffer);
  backend.scaleRows({ out: right.buffer, X: right.buffer, scale: s.buffer, rows: n, cols: n });
  // 0.5 because the gradient of a pair is ⟨left_i, right_j⟩ + ⟨left_j, right_i⟩, twice the same number.
  backend.affine({ out: s.buffer, a: (0.5 * (1 - alpha)) / alpha, A: s.buffer });
  const left = pageRank.buffer; // overwritten: nobody needs Π any more
  backend.scaleRows({ out: left, X: left, scale: s.buffer, rows: n, cols: n });
  gradient.addProduct(pageRank, right);
  gradient.addSums(t, "both");
  right.dispose();
}
