import type { PairBuffers } from "../../backend/backend.ts";
import { check } from "../../core/errors.ts";
import { addSelfLoops } from "../../graph/self-loops.ts";
import { EdgeFactors } from "../../tensor/edge-factors.ts";
import { empty, type GraphView, hostGraph, IntTensor, SparseMatrix, type Tensor } from "../../tensor/index.ts";
import { gradientByPairs } from "../../tensor/overlay.ts";
import type { PairGradient } from "../../tensor/pair-gradient.ts";
import { record } from "../../tensor/tape.ts";
import type { DiffusionOptions } from "./exact-diffusion.ts";
import { checkDiagonalIsKept, NormalisedTopK } from "./normalised-top-k.ts";
import { addPairGradient, degreeGradient, type RelaxedPageRank } from "./page-rank-gradient.ts";
import type { TopKMatrix } from "./top-k-matrix.ts";

export interface LocalDiffusionOptions extends DiffusionOptions {
  /** Tolerance of push. */
  readonly epsilon: number;
}

export interface LocalDiffusionDetails {
  /** Number of largest entries per row of PageRank that the gradient uses. */
  readonly support: number;
  /** How the k largest are ranked: by the walk's probabilities p_v, as in push, or by p_v / √deg_v, as exact does. */
  readonly rank: "walk" | "symmetric";
}

/** Push with tolerance 1e-4 leaves about 250 entries per row of PubMed. */
const localDefaults: LocalDiffusionDetails = { support: 256, rank: "walk" };

/**
 * The propagation matrix of GDC by push on `A ⊕ p`, differentiable with respect to all pairs of an overlay: the
 * gradient is that of exact PageRank, computed from the rows that push found instead of the exact ones. Memory and time
 * grow with n · support and with the pairs, never with n². docs/decisions/0007-adaptive-attack-by-push.md says how good
 * that is.
 */
export function localDiffusion(view: GraphView, options: LocalDiffusionOptions, details = localDefaults): TopKMatrix {
  const { directed, overlay } = view;
  check(!directed, () => "gdc: the gradient through push needs an undirected graph; attack a surrogate such as gcn");
  check(
    !(overlay?.gradient instanceof EdgeFactors),
    () => "gdc with method push has no gradient by all pairs at once; choose prbcd or grbcd",
  );
  const forward = localForward(view, options, details);
  const { matrix } = forward.top;
  record(matrix.values, [overlay?.signedWeights ?? null], (dP) => [
    () => gradientByPairs(overlay!, (gradient) => addGradient(gradient as PairGradient, overlay!.pairs, forward, dP)),
  ]);
  return matrix;
}

interface LocalForward extends RelaxedPageRank {
  /** The largest entries of each row of Π. */
  readonly rows: { readonly rowPtr: IntTensor; readonly columns: IntTensor; readonly values: Tensor };
}

function localForward(view: GraphView, options: LocalDiffusionOptions, details: LocalDiffusionDetails) {
  const { backend, numNodes: n, overlay } = view;
  const { alpha, epsilon } = options;
  const k = Math.min(options.k, n);
  const support = Math.min(Math.max(details.support, k), n);
  checkDiagonalIsKept(alpha, k, n);
  const clean = SparseMatrix.upload(backend, addSelfLoops(hostGraph(view, "gdc").adjacency)).buffers;
  const parts = overlay ? [clean, overlay.active] : [clean];
  const degrees = empty(backend, [n]);
  for (const [p, part] of parts.entries()) backend.rowSums(degrees.buffer, part, p > 0);
  const ints = (length: number) => new IntTensor(backend, backend.alloc("i32", length));
  const columns = ints(n * support);
  const values = empty(backend, [n, support]);
  const topColumns = ints(n * k);
  const kept = empty(backend, [n, k]);
  const out = {
    columns: columns.buffer,
    values: values.buffer,
    topColumns: topColumns.buffer,
    topValues: kept.buffer,
  };
  backend.localPageRank(out, parts, degrees.buffer, { alpha, epsilon, support, k, rank: details.rank });
  const rowPtr = IntTensor.from(
    backend,
    Int32Array.from({ length: n + 1 }, (_, i) => i * support),
  );
  return { alpha, degrees, rows: { rowPtr, columns, values }, top: new NormalisedTopK(topColumns, kept) };
}

/** ∂L/∂p for every pair of the overlay, from ∂L/∂P: computes (Π(Π̄ + Π̄ᵀ)Π)_ij from the stored entries of Π. */
function addGradient(gradient: PairGradient, pairs: PairBuffers, forward: LocalForward, dP: Tensor): void {
  const { rows, top } = forward;
  const { backend } = rows.values;
  const n = top.matrix.numNodes;
  const dKept = top.keptGradient(dP);
  leaveOutEmptyPlaces(dKept, top.kept);
  const P = {
    numRows: n,
    numCols: n,
    rowPtr: rows.rowPtr.buffer,
    colIdx: rows.columns.buffer,
    values: rows.values.buffer,
  };
  const products = backend.alloc("f32", pairs.length);
  const diagonal = empty(backend, [n]);
  backend.sandwich(products, diagonal.buffer, pairs, P, top.matrix.buffers(dKept));
  addPairGradient(gradient, pairs, forward, products, degreeGradient(forward, dKept, diagonal));
}

/** Sets the gradient to 0 at unused places, which pad short rows with value 0. */
function leaveOutEmptyPlaces(dKept: Tensor, kept: Tensor): void {
  const { backend } = kept;
  const used = empty(backend, kept.shape);
  backend.affine({ out: used.buffer, a: 1e30, A: kept.buffer });
  backend.clip(used.buffer, used.buffer, 0, 1);
  backend.binary("mul", dKept.buffer, dKept.buffer, used.buffer);
  used.dispose();
}
