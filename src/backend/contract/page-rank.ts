import type { Csr } from "../../graph/csr.ts";
import type { PushOptions } from "../../graph/push/push.ts";
import type { Buffer, CsrBuffers, PairBuffers } from "./storage.ts";

/** Personalised PageRank, exact and by push. */
export interface PageRank {
  /**
   * Exact PageRank α(I − (1 − α)D^(−1/2)·S·D^(−1/2))⁻¹, [n, n], of a symmetric S = Σ parts whose diagonal is above 0 and
   * whose row sums are `degrees`. `ppr/exact.ts` says how exact.
   */
  pageRank(out: Buffer, parts: readonly CsrBuffers[], degrees: Buffer, options: PageRankOptions): void;
  /**
   * PageRank of the same matrix row by row, by push: residuals move from node v to its neighbours w in shares S_vw / deg_v
   * until that of each node is below α·ε·deg, the node that has waited longest first. (`graph/push/push.ts` takes the last first:
   * the published order, which needs many more steps for the same bound.) Of the estimates p of row u that push leaves, the
   * `support` and the `k` ≤ support largest are kept (the node that was reached first on ties) and written as
   * p_v · √deg_u / √deg_v, `support` or `k` per row: the first in the order in which nodes were reached, the second by
   * ascending column. Places that are left over name node u with value 0. Refused by devices other than the CPU.
   */
  localPageRank(out: LocalRows, parts: readonly CsrBuffers[], degrees: Buffer, options: LocalPageRankOptions): void;
  /**
   * Two sparse matrices around a third, M = P·K·Pᵀ with P of one row per node: out_e = M_ij + M_ji for each pair (i, j), and
   * diagonal_i = 2 M_ii. Refused by devices other than the CPU.
   */
  sandwich(out: Buffer, diagonal: Buffer, pairs: PairBuffers, P: CsrBuffers, K: CsrBuffers): void;
  /** The k largest entries of rows of personalised PageRank. `graph/push/push.ts` defines it, bit by bit. */
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
  /** Those of them that are written apart. */
  readonly k: number;
  /** By which numbers entries are compared: those of the walk, p_v, or of the symmetric version, p_v / √deg_v. */
  readonly rank: "walk" | "symmetric";
}
