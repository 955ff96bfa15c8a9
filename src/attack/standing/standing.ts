import type { EdgeChanges } from "../../backend/backend.ts";
import type { Flips } from "../../graph/flips.ts";

/** What changes would do, each on its own: negative is what the attacker wants. */
export interface Gains {
  /** By how much the objective's score changes. */
  readonly score: ArrayLike<number>;
  /**
   * By how much the potential changes: a sum over nodes, bounded for each, that falls as they move towards being lost.
   * Decides between equal scores.
   */
  readonly potential: ArrayLike<number>;
}

/**
 * The discrete graph at which a search stands: the clean graph with some flips. It evaluates further changes, and makes
 * those that the search decides on. Scores are exact, as a forward pass on the changed graph gives them.
 */
export interface Standing {
  /** The score of the objective, as of the last {@link Standing.refresh}. */
  readonly score: number;
  /** The potential, of which {@link Gains} has the changes; as of the last refresh. */
  readonly potential: number;
  /** True if a change costs far less than a forward pass, so that thousands can be tried. */
  readonly isPatched: boolean;
  /** What each set of toggled pairs would do. */
  gains(changes: EdgeChanges): Promise<Gains>;
  /** Toggles these pairs. */
  toggle(flips: Flips): Promise<void>;
  /** Brings score, potential and margins up to date after toggles: where that takes a pass, several toggles share it. */
  refresh(): Promise<void>;
  /**
   * Margins by node, as the objective defines them; null if they are not known. Those of nodes that are not attacked
   * mean nothing.
   */
  margins(): Float32Array | null;
  close(): void;
}
