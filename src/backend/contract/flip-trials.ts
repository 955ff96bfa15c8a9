import type { Csr } from "../../graph/csr.ts";
import type { Flips } from "../../graph/flips.ts";
import type { Normalisation } from "../../graph/normalise.ts";

/**
 * A stack of graph convolutions on one graph: `H' = σ((P·U)∘scale + shift)`, `U' = H'·W`, where P is the normalised
 * adjacency with self loops and the first layer's U is given. The logits are the last layer's H'.
 */
export interface TrialStack {
  /** Unweighted, without self loops. */
  readonly adjacency: Csr;
  readonly directed: boolean;
  readonly normalisation: Normalisation;
  /** U of the first layer, `[n, width]`. */
  readonly input: Float32Array;
  readonly layers: readonly TrialLayer[];
  /** The class that a node's margin is measured against; −1 for a node that does not count. */
  readonly classes: Int32Array;
  /**
   * False: a margin is the logit of the class minus the best other logit. True: the negative of that, for attacks that
   * want the class to win. A margin is never 0: of two equal logits the first one wins by 1e-30.
   */
  readonly towards: boolean;
}

/** One layer of a {@link TrialStack}. */
export interface TrialLayer {
  readonly width: number;
  /** Per column; null: 1. */
  readonly scale: Float32Array | null;
  /** Per column; null: 0. */
  readonly shift: Float32Array | null;
  readonly relu: boolean;
  /** W, `[width, width of the next layer]`; null: the identity, or the last layer. */
  readonly weight: Float32Array | null;
}

/** Sets of pairs to toggle: set t is the pairs `offsets[t]` … `offsets[t + 1] − 1`, no pair twice in one set. */
export interface EdgeChanges {
  readonly offsets: Int32Array;
  readonly sources: Int32Array;
  readonly targets: Int32Array;
}

/** What each change would do by itself, one number per change. */
export interface TrialOutcomes {
  /** By how much the number of positive margins changes. */
  readonly positive: Float32Array;
  /** By how much the sum of the margins m changes. */
  readonly margin: Float32Array;
  /** By how much the sum of `m / (1 + |m|)` changes: margins near 0 count most. */
  readonly bounded: Float32Array;
}

/** A stack whose intermediate results are kept, so that a trial recomputes only the rows that it affects. */
export interface FlipTrials {
  /** What each change would do; nothing is changed. */
  outcomes(changes: EdgeChanges): TrialOutcomes;
  /** Toggles these pairs for good. */
  keep(flips: Flips): void;
  /** Margins on the current graph, one per node; ignore those of nodes with class −1. */
  margins(): Float32Array;
  close(): void;
}

/** Trials of many small changes of the edges. */
export interface FlipTrialKernels {
  /** Prepares trials on a stack; the caller closes them. */
  openTrials(stack: TrialStack): Promise<FlipTrials>;
}
