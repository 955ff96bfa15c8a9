import type { OpKind } from "../op-kind.ts";
import type { Tensor } from "../tensor.ts";
import type { Expression } from "./expression.ts";

/** A better way to compute some expressions. */
export interface Rule {
  /** The last op of the expressions it knows: one of these kinds, or any that mixes rows. */
  readonly kinds: readonly OpKind<object>[] | "mixing rows";
  /** Changes how `Y` will be computed, if it finds such an expression; the values stay the same up to rounding. */
  rewrite(Y: Tensor, expression: Expression): void;
}
