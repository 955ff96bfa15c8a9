import type { OpKind } from "../op-kind.ts";
import type { Tensor } from "../tensor.ts";
import type { Expression } from "./expression.ts";

/** Rewrites expressions of one form into cheaper ones. */
export interface Rule {
  /** The last op of such an expression: one of these kinds, or any op that mixes rows. */
  readonly kinds: readonly OpKind<object>[] | "mixing rows";
  /** Changes how `Y` will be computed, if it finds such an expression; the values stay the same up to rounding. */
  rewrite(Y: Tensor, expression: Expression): void;
}
