import type { Key } from "../../core/philox.ts";
import type { Buffer, CsrBuffers, PairBuffers } from "./storage.ts";

/** Blocks of candidate pairs. */
export interface PairBlocks {
  /**
   * Projection onto the budget, in place: x ← clip(x − λ, floor, 1 − floor) with λ = 0 if Σ clip(x, 0, 1) ≤ budget,
   * else the smallest λ with Σ clip(x − λ, 0, 1) = budget. `out` receives [Σ clip(x, 0, 1) before, λ]. With `ascent`, x
   * is first replaced by x + rate·gradient.
   */
  projectOntoBudget(out: Buffer, x: Buffer, budget: number, floor: number, ascent?: Ascent): void;
  /**
   * A whole new block: `pairs.sources` and `pairs.targets` receive `pairs.length` distinct pairs in ascending order of
   * their index (`graph/pair-index.ts`). Draw t from a range of size w ≤ 2^16 is the upper half of the 64-bit product
   * of w and word t mod 4 of Philox counter ⌊t / 4⌋; from a larger range, that of the 128-bit product of w and the word
   * `word1 · 2^32 + word0` of counter t (a counter c is (c mod 2^32, c / 2^32, 0, 0)). Stratified: the range is cut
   * into `length` strata whose sizes differ by at most one, the larger first, and stratum t takes draw t. Uniform:
   * draws 0, 1, … from the whole range until `length` are distinct. Asking for more pairs than exist is an error. With
   * `signs`, the signs of the new pairs are written as well.
   */
  samplePairs(pairs: PairBuffers, draw: PairDraw, key: Key, signs?: DrawnSigns): void;
  /**
   * Keeps the pairs with weight > floor, at most ⌊length / 2⌋ of them, the largest first (lower index on ties), and
   * draws the rest anew: as in {@link samplePairs}, from the pairs that are not kept, numbered in ascending order; a
   * dropped pair may be drawn again. `pairs` must be ascending. `next`, a block of the same length over the same nodes,
   * receives the new pairs in ascending order, and `nextWeights` their weights: the old one of a kept pair, `floor` of
   * a drawn one. `signs` receives the signs of `next`.
   */
  resamplePairs(args: ResamplePairsArguments): void;
  /**
   * out_e = −1 if S, with sorted rows, stores entry (source_e, target_e), else +1; with `turn`, times the old out_e.
   */
  pairSigns(out: Buffer, pairs: PairBuffers, S: CsrBuffers, turn?: boolean): void;
  /**
   * The active pairs of a block as a sparse matrix: value sign_e · weight_e at (source_e, target_e), and at (target_e,
   * source_e) if the pairs are undirected, for all e with weight_e > floor. Rows are sorted; a pair that comes twice
   * has two entries, in any order. `colIdx` and `values` may be longer than the rowPtr[numRows] entries they hold. The
   * caller frees the three buffers.
   */
  activeMatrix(pairs: PairBuffers, signs: Buffer, weights: Buffer, floor: number): CsrBuffers;
  /**
   * A larger block: `next` receives the pairs of `made`, and is filled up with those pairs of `from` outside `made`
   * that have the largest `values` (the lower index on ties); `from` must have enough of them. All three blocks are
   * ascending and over the same nodes. `nextMarks` (i32) receives the marks of `made`, and `mark` for the added pairs.
   * The `values` of pairs that are in `made` may be overwritten.
   */
  addLargest(args: AddLargestArguments): void;
}

/** What {@link PairBlocks.addLargest} takes. */
export interface AddLargestArguments {
  readonly next: PairBuffers;
  readonly nextMarks: Buffer;
  readonly made: PairBuffers;
  readonly marks: Buffer;
  readonly from: PairBuffers;
  readonly values: Buffer;
  readonly mark: number;
}

/** What {@link PairBlocks.resamplePairs} takes. */
export interface ResamplePairsArguments {
  readonly next: PairBuffers;
  readonly nextWeights: Buffer;
  readonly pairs: PairBuffers;
  readonly weights: Buffer;
  readonly floor: number;
  readonly draw: PairDraw;
  readonly key: Key;
  readonly signs?: DrawnSigns | undefined;
}

/** Where the signs of a newly drawn block go: `out` receives what {@link PairBlocks.pairSigns} of `S` would write. */
export interface DrawnSigns {
  readonly out: Buffer;
  readonly S: CsrBuffers;
}

/** A step along a gradient. */
export interface Ascent {
  readonly rate: number;
  readonly gradient: Buffer;
}

/** How candidate pairs are drawn: one from each of `length` ranges of about equal size, or each from all pairs. */
export type PairDraw = "stratified" | "uniform";
