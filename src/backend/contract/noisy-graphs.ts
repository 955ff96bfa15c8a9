import type { PushOptions } from "../../graph/push/push.ts";
import type { PageRankOptions } from "./page-rank.ts";
import type { Buffer, CsrBuffers } from "./storage.ts";

/** Noisy versions of a graph, drawn on the device: many at once, as one block-diagonal graph with a block for each. */
export interface NoisyGraphKernels {
  /** Whether gathered rows and columns of PageRank are rounded to halves, which may change some votes. */
  readonly halves: boolean;
  /**
   * Draws noisy graphs `first` … `first + graphs − 1` as `graph/noise/coin-graphs.ts` defines them, with a self loop at
   * every node. Graph first + g gets rows and columns g·n … (g + 1)·n − 1 of `to`, columns in ascending order; later
   * rows are empty. If `to.colIdx` is too short, the last entries are left out. `most` (i32) is raised to the number of
   * all entries, including those left out, if it is lower.
   */
  drawNoisyGraphs(args: DrawArguments): void;
  /**
   * out_e = 1 / √(d_i d_j), or 1 / d_i for "row", for each entry e = (i, j) of a symmetric S; row i has d_i entries.
   */
  normaliseEntries(out: Buffer, S: CsrBuffers, normalisation: "symmetric" | "row"): void;
  /** out_e (i32) = the row of entry e of S. */
  entryRows(out: Buffer, S: CsrBuffers): void;
  /** Whether {@link largestPageRank} takes graphs of this size: a column of PageRank must fit into workgroup memory. */
  holdsPageRank(size: LargestSize): boolean;
  /**
   * The k largest entries of each row of PageRank (the lower column on ties), in ascending order of the columns, for
   * every graph in S, which is symmetric, without values, and as {@link drawNoisyGraphs} makes it. `columns` (i32) and
   * `values` are [graphs · n, k]; columns are those of S. Options are as in `PageRank.pageRank`.
   */
  largestPageRank(out: LargestBuffers, S: CsrBuffers, size: LargestSize, options: PageRankOptions): void;
  /** Whether {@link pushLargest} can keep k entries of a row and reach the tolerance of these options. */
  holdsPush(size: LargestSize, options: PushOptions): boolean;
  /**
   * The k largest entries (the lower column on ties) of each row of the random walk's PageRank α(I − (1 − α)D⁻¹S)⁻¹ by
   * push, in ascending order of the columns, for every graph in S as in {@link largestPageRank}.
   * `graph/push/push-rounds.ts` defines the entries, bit by bit. Where push reaches fewer than k nodes, the row ends
   * with entries of value 0 in its own column.
   */
  pushLargest(out: LargestBuffers, S: CsrBuffers, size: LargestSize, options: PushOptions): void;
  /**
   * The entries above 0 as a sparse matrix `to` with values, which must have room for all. `from` is as
   * {@link pushLargest} writes it, without values below 0. Further rows of `to` are empty.
   */
  packLargest(to: CsrBuffers, from: LargestBuffers, size: LargestSize): void;
  /**
   * counts_{node, class} += 1 for each graph g and node, with class = classes_{g·n + node} (i32). `counts` is i32,
   * [n, numClasses].
   */
  addVotes(counts: Buffer, classes: Buffer, size: VoteSize): void;
}

/** What {@link NoisyGraphKernels.drawNoisyGraphs} takes. */
export interface DrawArguments {
  readonly to: CsrBuffers;
  readonly most: Buffer;
  readonly clean: CleanEdges;
  readonly coins: CoinBuffers;
  readonly first: number;
  readonly graphs: number;
}

/** The edges of an undirected graph, by row and as a list. */
export interface CleanEdges {
  readonly A: CsrBuffers;
  /** i32: the smaller and the larger node of each edge. */
  readonly sources: Buffer;
  readonly targets: Buffer;
}

/** As in `graph/noise/pair-coins.ts`. */
export interface CoinBuffers {
  readonly key: Uint32Array;
  /** i32, read without sign. */
  readonly limits: Buffer;
  readonly vanish: number;
}

/** How many graphs voted, and on what. */
export interface VoteSize {
  readonly graphs: number;
  readonly numNodes: number;
  readonly numClasses: number;
}

/** Number of graphs, nodes of each, and entries kept per row: k ≤ numNodes. */
export interface LargestSize {
  readonly graphs: number;
  readonly numNodes: number;
  readonly k: number;
}

/** Columns (i32) and values of the entries that are kept. */
export interface LargestBuffers {
  readonly columns: Buffer;
  readonly values: Buffer;
}
