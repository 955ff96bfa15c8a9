import { rewriteWith } from "../op.ts";
import type { OpKind } from "../op-kind.ts";
import { inScopeOf } from "../scope.ts";
import type { Tensor } from "../tensor.ts";
import { keepConstants } from "./constants.ts";
import { degreeScale } from "./degree-scale.ts";
import { Expression } from "./expression.ts";
import { finishProducts, multiplyConvolutions } from "./finish-products.ts";
import { foldBatchNorm } from "./fold-batch-norm.ts";
import { orderProducts } from "./order-products.ts";
import { reluDropout } from "./relu-dropout.ts";
import type { Rule } from "./rule.ts";
import { tanhMargins } from "./tanh-margins.ts";

/** Rules that replace products by cheaper ones with the same result. */
const REORDERING: readonly Rule[] = [foldBatchNorm, orderProducts];
/** Rules that compute the same products in fewer passes over memory. */
const MERGING: readonly Rule[] = [degreeScale, tanhMargins, reluDropout, finishProducts];
/** Rules that merge the results of {@link MERGING} once more. */
const MERGING_AGAIN: readonly Rule[] = [multiplyConvolutions];

let isOn = true;

/** Finds better ways to compute the pending tensors that `roots` depend on. */
function fuse(roots: readonly Tensor[]): void {
  if (!isOn) return;
  let expression = new Expression(roots);
  if (apply(REORDERING, expression)) expression = new Expression(roots);
  if (keepConstants(expression)) expression = new Expression(roots);
  if (apply(MERGING, expression)) apply(MERGING_AGAIN, expression);
}

/** Offers every pending tensor to the rules that look at its kind of op; true if any was rewritten. */
function apply(rules: readonly Rule[], expression: Expression): boolean {
  let isChanged = false;
  for (const Y of expression.pending) {
    for (const rule of rules) {
      const { pending } = Y;
      if (!pending || !looksAt(rule, pending.kind)) continue;
      inScopeOf(Y, () => rule.rewrite(Y, expression));
      isChanged ||= Y.pending !== pending;
    }
  }
  return isChanged;
}

function looksAt({ kinds }: Rule, kind: OpKind<object>): boolean {
  return kinds === "mixing rows" ? kind.mixesRows !== null : kinds.includes(kind);
}

/** Runs a step without any rewriting, every op as it is written: for comparisons and for debugging. */
export function withoutFusion<T>(step: () => T): T {
  const before = isOn;
  isOn = false;
  try {
    return step();
  } finally {
    isOn = before;
  }
}

rewriteWith(fuse);
