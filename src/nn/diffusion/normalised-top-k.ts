import type { CsrBuffers } from "../../backend/backend.ts";
import { check } from "../../core/errors.ts";
import { empty, filled, type IntTensor, scope, type Tensor } from "../../tensor/index.ts";
import { TopKMatrix } from "./top-k-matrix.ts";

/**
 * The propagation matrix P of GDC (Gasteiger et al. 2019) from the k kept entries of each row of PageRank: T is these
 * divided by their row sums, P is T normalised by column sums. The gradient treats the places of the entries as
 * constant.
 */
export class NormalisedTopK {
  /** P = T / √(c_i c_j). */
  readonly matrix: TopKMatrix;
  /** Π on the kept entries, [n, k]. */
  readonly kept: Tensor;
  /** 1 / r_i, r the row sums of `kept`. */
  private readonly inverseSums: Tensor;
  /** T = kept / r. */
  private readonly T: Tensor;
  /** c_j = Σ_i T_ij. */
  private readonly columnSums: Tensor;
  /** 1 / √(c_i c_j) on the kept entries. */
  private readonly scale: Tensor;

  constructor(columns: IntTensor, kept: Tensor) {
    const { backend } = kept;
    const [n, k] = kept.shape as [number, number];
    this.kept = kept;
    this.inverseSums = empty(backend, [n]);
    backend.rowDots(this.inverseSums.buffer, kept.buffer, null, n, k);
    backend.unary("reciprocal", this.inverseSums.buffer, this.inverseSums.buffer);
    this.T = empty(backend, [n, k]);
    backend.scaleRows({ out: this.T.buffer, X: kept.buffer, scale: this.inverseSums.buffer, rows: n, cols: k });
    this.matrix = new TopKMatrix(columns, empty(backend, [n, k]));
    this.columnSums = sumColumns(this.matrix, this.T);
    this.scale = scope(() => rootProducts(this.matrix, this.columnSums));
    backend.binary("mul", this.matrix.values.buffer, this.T.buffer, this.scale.buffer);
  }

  /** Π̄ = ∂L/∂Π on the kept entries, given P̄ = ∂L/∂P: back through both normalisations. */
  keptGradient(dP: Tensor): Tensor {
    const { matrix: P, T, columnSums: c, scale, inverseSums } = this;
    const { backend, entries, numNodes: n, k } = P;
    const product = empty(backend, P.values.shape);
    backend.binary("mul", product.buffer, P.values.buffer, dP.buffer);
    const gamma = sumBoth(P, product); // γ_j = −(Σ_i P_ij P̄_ij + Σ_l P_jl P̄_jl) / (2 c_j)
    backend.binary("div", gamma.buffer, gamma.buffer, c.buffer);
    backend.affine({ out: gamma.buffer, a: -0.5, A: gamma.buffer });
    const dT = product; // T̄_ij = P̄_ij / √(c_i c_j) + γ_j
    backend.binary("mul", dT.buffer, dP.buffer, scale.buffer);
    backend.pairSums({ out: dT.buffer, pairs: entries, x: gamma.buffer, ends: "target", accumulate: true });
    const inner = empty(backend, [n]); // Π̄_ij = (T̄_ij − Σ_l T_il T̄_il) / r_i
    backend.rowDots(inner.buffer, T.buffer, dT.buffer, n, k);
    backend.affine({ out: inner.buffer, a: -1, A: inner.buffer });
    backend.pairSums({ out: dT.buffer, pairs: entries, x: inner.buffer, ends: "source", accumulate: true });
    backend.scaleRows({ out: dT.buffer, X: dT.buffer, scale: inverseSums.buffer, rows: n, cols: k });
    return dT;
  }

  /** K = Π̄ + Π̄ᵀ; an entry may be stored in two parts. The caller frees its buffers. */
  symmetricGradient(dKept: Tensor): CsrBuffers {
    const { backend, entries } = this.matrix;
    const ones = filled(backend, dKept.shape, 1);
    const K = backend.activeMatrix({ ...entries, directed: false }, dKept.buffer, ones.buffer, 0);
    ones.dispose();
    return K;
  }

  /** Σ_l K_il Π_il per row. */
  localProducts(dKept: Tensor): Tensor {
    const { backend } = this.matrix;
    const product = empty(backend, this.kept.shape);
    backend.binary("mul", product.buffer, this.kept.buffer, dKept.buffer);
    return sumBoth(this.matrix, product);
  }
}

/**
 * Throws unless k ≥ 1/α, which keeps the diagonal: no self loop is ever missing from the second normalisation. A
 * diagonal entry is at least α. An entry of its row that exceeds it belongs to a node of higher degree, to which a walk
 * goes with probability above α: there are fewer than 1/α of them.
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
  const own = empty(backend, P.values.shape);
  const other = empty(backend, P.values.shape);
  backend.pairSums({ out: own.buffer, pairs: entries, x: root.buffer, ends: "source" });
  backend.pairSums({ out: other.buffer, pairs: entries, x: root.buffer, ends: "target" });
  backend.binary("mul", own.buffer, own.buffer, other.buffer);
  return own;
}

/** Σ over each column of values on the kept entries. */
function sumColumns(P: TopKMatrix, values: Tensor): Tensor {
  const sums = filled(P.backend, [P.numNodes], 0);
  P.backend.scatterAddRows(sums.buffer, values.buffer, P.columns.buffer, P.numNodes, 1);
  return sums;
}

/** The sum over column i plus the sum over row i. */
function sumBoth(P: TopKMatrix, values: Tensor): Tensor {
  const { backend, numNodes: n, k } = P;
  const columns = sumColumns(P, values);
  const rows = empty(backend, [n]);
  backend.rowDots(rows.buffer, values.buffer, null, n, k);
  backend.affine({ out: columns.buffer, a: 1, A: columns.buffer, b: 1, B: rows.buffer });
  return columns;
}
