import { computeAs } from "../op.ts";
import { MATMUL, matmul } from "../ops/matmul.ts";
import type { Tensor } from "../tensor.ts";
import { isConstant } from "./constants.ts";
import type { Expression } from "./expression.ts";
import type { Rule } from "./rule.ts";

/**
 * Computes `P·(X·W)` as `(P·X)·W` if P·X stays the same from step to step, or if X has fewer columns than W: the cost
 * of a product with P grows with the number of columns.
 */
export const orderProducts: Rule = { kinds: "mixing rows", rewrite };

function rewrite(Y: Tensor, expression: Expression): void {
  const { kind, operands } = Y.pending!;
  if (!kind.mixesRows) return;
  const XW = kind.mixesRows.rows(operands);
  const product = MATMUL.of(XW);
  if (!product || !expression.isInner(XW)) return;
  const { A: X, B: W } = product;
  const [inFeatures, outFeatures] = W.shape;
  const isNarrower = inFeatures < outFeatures;
  if (!isNarrower && (!isConstant(X) || isConstant(W))) return;
  const PX = kind.mixesRows.on(operands, X);
  if (isNarrower || isConstant(PX)) computeAs(Y, matmul(PX, W));
  else PX.dispose();
}
