import type { EdgeChanges } from "../../backend/backend.ts";
import type { Flips } from "../../graph/flips.ts";

/** What changes would do, each on its own: negative is what the attacker wants. */
export interface Gains {
  /** By how much the objective's score changes. */
  readonly score: ArrayLike<number>;
  /** By how much the nodes that still count against the attacker move towards being lost; decides between equal scores. */
  readonly potential: ArrayLike<number>;
}

/**
 * The discrete graph at which a search stands: the clean graph with some flips. It says what further changes would do, and goes
 * where the search decides. Scores are exact, as a forward pass on the changed graph gives them.
 */
export interface Standing {
  /** What the objective wants to lower, on the graph as {@link Standing.refresh} found it. */
  readonly score: number;
  /** What {@link Gains} has by how much it changes, likewise. */
  readonly potential: number;
  /** True if a change costs far less than a forward pass, so that thousands can be tried. */
  readonly isPatched: boolean;
  /** What each set of toggled pairs would do. */
  gains(changes: EdgeChanges): Promise<Gains>;
  /** Toggles these pairs. */
  toggle(flips: Flips): Promise<void>;
  /** Brings score, potential and margins up to date after toggles: where that takes a pass, several toggles share it. */
  refresh(): Promise<void>;
  /** Margins of all nodes as the objective has them, where they are known; those of nodes that are not attacked mean nothing. */
  margins(): Float32Array | null;
  close(): void;
}
