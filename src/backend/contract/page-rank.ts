import type { Csr } from "../../graph/csr.ts";
import type { PushOptions } from "../../graph/push/push.ts";
import type { Buffer, CsrBuffers, PairBuffers } from "./storage.ts";

/** Personalised PageRank, exact and by push. */
export interface PageRank {
  /**
   * Exact PageRank α(I − (1 − α)D^(−1/2)·S·D^(−1/2))⁻¹, [n, n], of a symmetric S = Σ parts whose diagonal is above 0
   * and whose row sums are `degrees`. `ppr/exact.ts` states the accuracy.
   */
  pageRank(out: Buffer, parts: readonly CsrBuffers[], degrees: Buffer, options: PageRankOptions): void;
  /**
   * PageRank of the same matrix row by row, by push: residuals move from node v to its neighbours w in shares
   * S_vw / deg_v until the residual of each node is below α·ε·deg. The node that has waited longest is pushed first.
   * (`graph/push/push.ts` pushes the newest first: the published order, which needs many more steps for the same
   * bound.) Of the resulting estimates p of row u, the `support` largest go to `columns` and `values`, in the order in
   * which nodes were reached, and the `k` ≤ support largest to `topColumns` and `topValues`, by ascending column; ties
   * go to the node that was reached first. Values are p_v · √deg_u / √deg_v. Unused places hold node u with value 0.
   * Throws on devices other than the CPU.
   */
  localPageRank(out: LocalRows, parts: readonly CsrBuffers[], degrees: Buffer, options: LocalPageRankOptions): void;
  /**
   * With M = P·K·Pᵀ, all sparse, and P of one row per node: out_e = M_ij + M_ji for each pair e = (i, j), and
   * diagonal_i = 2 M_ii. Throws on devices other than the CPU.
   */
  sandwich(out: Buffer, diagonal: Buffer, pairs: PairBuffers, P: CsrBuffers, K: CsrBuffers): void;
  /** The k largest entries of each row of personalised PageRank. `graph/push/push.ts` defines them, bit by bit. */
  pushRows(A: Csr, nodes: Int32Array, options: PushOptions & { readonly k: number }): Csr;
}

/** How exact PageRank is computed. */
export interface PageRankOptions {
  /** Restart probability α. */
  readonly alpha: number;
  /** Bound on the error of each column, relative to its length. */
  readonly tolerance: number;
}

/** Columns (i32) and values of entries of PageRank, a fixed number per row. */
export interface LocalRows {
  readonly columns: Buffer;
  readonly values: Buffer;
  readonly topColumns: Buffer;
  readonly topValues: Buffer;
}

/** How PageRank is approximated around each node. */
export interface LocalPageRankOptions extends PushOptions {
  /** Entries kept per row. */
  readonly support: number;
  /** How many of the largest are also written to `topColumns` and `topValues`. */
  readonly k: number;
  /** How entries are ranked: "walk" by p_v, "symmetric" by p_v / √deg_v. */
  readonly rank: "walk" | "symmetric";
}
