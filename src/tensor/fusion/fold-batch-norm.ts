import { computeAs } from "../op.ts";
import { add, mul } from "../ops/elementwise.ts";
import { MATMUL, matmul } from "../ops/matmul.ts";
import { ADD_BIAS, addBias, SCALE_COLS, scaleCols } from "../ops/rows.ts";
import { isTracked } from "../tape.ts";
import type { Tensor } from "../tensor.ts";
import type { Expression } from "./expression.ts";
import type { Rule } from "./rule.ts";

/**
 * In evaluation, batch norm scales and shifts the columns of `P·X·W + b`. This rule scales W and b instead and adds the
 * shift to b: the same result from small tensors.
 */
export const foldBatchNorm: Rule = { kinds: [SCALE_COLS, ADD_BIAS], rewrite };

function rewrite(Y: Tensor, expression: Expression): void {
  const scaling = SCALE_COLS.of(Y);
  if (scaling && !isTracked(scaling.s)) {
    const folded = scaledAtWeights(scaling.X, scaling.s, expression);
    if (folded) computeAs(Y, folded);
    return;
  }
  const outer = ADD_BIAS.of(Y);
  const inner = outer && ADD_BIAS.of(outer.X);
  if (outer && inner) computeAs(Y, addBias(inner.X, add(inner.b, outer.b)));
}

/** `X` with its columns scaled by `s`, by scaling the weights it is a product with; null if it is no such product. */
function scaledAtWeights(X: Tensor, s: Tensor, expression: Expression): Tensor | null {
  if (!X.pending || !expression.isInner(X)) return null;
  const biased = ADD_BIAS.of(X);
  if (biased) {
    const scaled = scaledAtWeights(biased.X, s, expression);
    return scaled && addBias(scaled, mul(biased.b, s));
  }
  const product = MATMUL.of(X);
  if (product) return matmul(product.A, scaleCols(product.B, s));
  const { kind, operands } = X.pending;
  if (!kind.mixesRows) return null;
  const rows = kind.mixesRows.rows(operands);
  // In a product of sparse features and W, `rows` is W itself, which is not pending.
  const scaled = rows.pending ? scaledAtWeights(rows, s, expression) : scaleCols(rows, s);
  return scaled && kind.mixesRows.on(operands, scaled);
}
