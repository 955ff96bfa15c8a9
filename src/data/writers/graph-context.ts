import type { NodeIds } from "../node-ids.ts";
import type { Split } from "../splits.ts";

/** What belongs to a graph beside its matrices. */
export interface GraphContext {
  /** What the input calls each node. Default: their numbers. */
  readonly ids?: NodeIds;
  /** What the input calls each class. Default: their numbers. */
  readonly classes?: readonly string[];
  /** Named as readers name them: `public`, or `mask-0`, `mask-1`, … */
  readonly splits?: Readonly<Record<string, Split>>;
}
