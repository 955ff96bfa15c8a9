import type { Csr } from "../../graph/csr.ts";
import type { Flips } from "../../graph/flips.ts";
import type { Normalisation } from "../../graph/normalise.ts";

/**
 * A stack of graph convolutions at one graph: `H' = σ((P·U)∘scale + shift)`, `U' = H'·W`, where P is the adjacency with self
 * loops, normalised, and U of the first layer is given. The logits are the last layer's H'.
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
  /** Never 0: of two equal logits the first wins, by next to nothing. False: margins are the logit of the class minus the best other. True: the other way round, as if the class should win. */
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

/** What each of some changes would do on its own. */
export interface TrialOutcomes {
  /** By how much the number of positive margins changes. */
  readonly positive: Float32Array;
  /** By how much the sum of the margins m changes. */
  readonly margin: Float32Array;
  /** By how much the sum of `m / (1 + |m|)` changes: margins near 0 count most. */
  readonly bounded: Float32Array;
}

/** A stack held ready, so that a change costs only the rows that it reaches. */
export interface FlipTrials {
  /** What each change would do; nothing is changed. */
  outcomes(changes: EdgeChanges): TrialOutcomes;
  /** Toggles these pairs for good. */
  keep(flips: Flips): void;
  /** Margins at the graph as it is now, one per node; those of nodes that do not count mean nothing. */
  margins(): Float32Array;
  close(): void;
}

/** Evaluates many small changes of the edges side by side. */
export interface FlipTrialKernels {
  /** Holds a stack ready; the caller closes it. */
  openTrials(stack: TrialStack): Promise<FlipTrials>;
}
