import { rewriteWith } from "../op.ts";
import { inScopeOf } from "../scope.ts";
import type { Tensor } from "../tensor.ts";
import { keepConstants } from "./constants.ts";
import { fuseDegreeScale } from "./degree-scale.ts";
import { Expression } from "./expression.ts";
import { finishProducts, multiplyConvolutions } from "./finish-products.ts";
import { foldBatchNorm } from "./fold-batch-norm.ts";
import { orderProducts } from "./order-products.ts";
import { fuseReluDropout } from "./relu-dropout.ts";
import { fuseTanhMargins } from "./tanh-margins.ts";

/** Changes how `Y` will be computed, if there is a better way that it knows; the values stay the same up to rounding. */
type Rule = (Y: Tensor, expression: Expression) => void;

/** Other products for the same result. */
const REORDERING: readonly Rule[] = [foldBatchNorm, orderProducts, fuseReluDropout];
/** The same products in fewer passes over memory. */
const MERGING: readonly Rule[] = [fuseDegreeScale, fuseTanhMargins, finishProducts];

let isOn = true;

/** Finds better ways to compute the pending tensors that `roots` depend on. */
function fuse(roots: readonly Tensor[]): void {
  if (!isOn) return;
  apply(REORDERING, new Expression(roots));
  keepConstants(new Expression(roots));
  const expression = new Expression(roots);
  apply(MERGING, expression);
  apply([multiplyConvolutions], expression);
}

function apply(rules: readonly Rule[], expression: Expression): void {
  for (const Y of expression.pending) {
    inScopeOf(Y, () => {
      for (const rule of rules) if (Y.pending) rule(Y, expression);
    });
  }
}

/** Runs a step in which every op is computed as it is written: to compare, or to find out what is wrong. */
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
