import type { PushOptions } from "../../graph/push/push.ts";
import type { PageRankOptions } from "./page-rank.ts";
import type { Buffer, CsrBuffers } from "./storage.ts";

/** Noisy versions of a graph, drawn on the device: many side by side, as one graph with a block of rows and columns for each. */
export interface NoisyGraphKernels {
  /** Whether rows that are gathered, and columns of PageRank, are rounded to halves: models may then vote otherwise. */
  readonly halves: boolean;
  /**
   * Draws noisy graphs `first` … `first + graphs − 1` as `graph/noise/coin-graphs.ts` defines them, with a self loop at every node: rows
   * g·n … (g + 1)·n − 1 of `to` are those of graph first + g, its columns likewise, in ascending order; later rows are empty. Where there are more entries than
   * `to.colIdx` has room for, the last ones are left out. `most` (i32) becomes the number of all of them, if it was less.
   */
  drawNoisyGraphs(args: DrawArguments): void;
  /** out_e = 1 / √(d_i d_j), or 1 / d_i, for each entry e = (i, j) of a symmetric S, with d the numbers of entries of rows. */
  normaliseEntries(out: Buffer, S: CsrBuffers, normalisation: "symmetric" | "row"): void;
  /** out_e (i32) = the row of entry e of S. */
  entryRows(out: Buffer, S: CsrBuffers): void;
  /** Whether {@link largestPageRank} takes graphs of this size: a column of PageRank must fit the memory that a workgroup shares. */
  holdsPageRank(size: LargestSize): boolean;
  /**
   * The k largest entries of each row of PageRank, of every graph in a symmetric S of ones as {@link drawNoisyGraphs} makes it: the lower column on
   * ties, in ascending order of the columns. `columns` (i32) and `values` are [graphs · n, k]; columns are those of S. `PageRank.pageRank` says what the options mean.
   */
  largestPageRank(out: LargestBuffers, S: CsrBuffers, size: LargestSize, options: PageRankOptions): void;
  /** Whether {@link pushLargest} takes so many entries of a row, and a tolerance that small. */
  holdsPush(size: LargestSize, options: PushOptions): boolean;
  /**
   * The k largest entries of each row of the random walk's PageRank α(I − (1 − α)D⁻¹S)⁻¹ by push, of every graph in S as in {@link largestPageRank}:
   * the lower column on ties, in ascending order of the columns. `graph/push/push-rounds.ts` defines the entries, bit by bit. Where push
   * reaches fewer than k nodes, places that are left over come last, in the column of the row itself, with value 0.
   */
  pushLargest(out: LargestBuffers, S: CsrBuffers, size: LargestSize, options: PushOptions): void;
  /**
   * The entries above 0 as a matrix with values, which has room for all: rows of `from` are as {@link pushLargest} writes them, none is below 0. Later
   * rows of `to` are empty.
   */
  packLargest(to: CsrBuffers, from: LargestBuffers, size: LargestSize): void;
  /** counts_{node, class} += 1 for the class (i32) of each node in each graph: row g·n + node of `classes`. `counts` is i32, [n, numClasses]. */
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

/** How many graphs there are, of how many nodes, and how many entries of a row are kept: no more than there are nodes. */
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
