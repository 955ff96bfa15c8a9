import { computeAs } from "../op.ts";
import { CONVOLVE } from "../ops/convolve.ts";
import { argumentOf, DROPOUT, UNARY } from "../ops/elementwise.ts";
import { GATHER_ROWS } from "../ops/indexing.ts";
import { MATMUL } from "../ops/matmul.ts";
import { ADD_BIAS } from "../ops/rows.ts";
import type { Tensor } from "../tensor.ts";
import type { Expression } from "./expression.ts";
import { FINISHED_CONVOLUTION, type FinishedConvolution, finishedConvolution } from "./finished-convolution.ts";
import { FINISHED_PRODUCT, type FinishedProduct, finishedProduct } from "./finished-product.ts";
import { multipliedConvolution } from "./multiplied-convolution.ts";
import type { Rule } from "./rule.ts";

/** Merges a bias, relu or a selection of rows into the product before it. */
export const finishProducts: Rule = { kinds: [ADD_BIAS, UNARY, GATHER_ROWS, CONVOLVE], rewrite: finish };

/** Merges a product H·W into the convolution that computes H. Must run after {@link finishProducts}. */
export const multiplyConvolutions: Rule = { kinds: [MATMUL, FINISHED_PRODUCT], rewrite: multiply };

function finish(Y: Tensor, expression: Expression): void {
  const merged = withBias(Y, expression) ?? withRelu(Y, expression) ?? withRowsChosen(Y, expression) ?? asFinished(Y);
  if (merged) computeAs(Y, merged);
}

function multiply(Y: Tensor, expression: Expression): void {
  const product = asProduct(Y);
  const convolution = product && expression.isInner(product.A) ? asConvolution(product.A) : null;
  if (product && convolution && !convolution.nodes) computeAs(Y, multipliedConvolution(convolution, product));
}

function withBias(Y: Tensor, expression: Expression): Tensor | null {
  const added = ADD_BIAS.of(Y);
  if (!added || !expression.isInner(added.X)) return null;
  const convolution = asConvolution(added.X);
  if (convolution && isOpen(convolution) && !convolution.nodes) {
    return finishedConvolution({ ...convolution, bias: added.b });
  }
  const product = asProduct(added.X);
  return product && isOpen(product) ? finishedProduct({ ...product, bias: added.b }) : null;
}

function withRelu(Y: Tensor, expression: Expression): Tensor | null {
  const X = argumentOf("relu", Y);
  if (!X || !expression.isInner(X) || isDropped(Y, expression)) return null;
  const convolution = asConvolution(X);
  if (convolution && !convolution.relu && !convolution.nodes)
    return finishedConvolution({ ...convolution, relu: true });
  const product = asProduct(X);
  return product && !product.relu ? finishedProduct({ ...product, relu: true }) : null;
}

function withRowsChosen(Y: Tensor, expression: Expression): Tensor | null {
  const gathered = GATHER_ROWS.of(Y);
  if (!gathered || !expression.isInner(gathered.X)) return null;
  const convolution = asConvolution(gathered.X);
  if (!convolution || convolution.nodes) return null;
  return finishedConvolution({ ...convolution, nodes: gathered.index });
}

/** A plain convolution as a finished one without bias and relu, so that it shares the others' merged edge list. */
function asFinished(Y: Tensor): Tensor | null {
  const convolution = CONVOLVE.of(Y) && asConvolution(Y);
  return convolution && finishedConvolution(convolution);
}

/** True if dropout follows: `reluDropout` merges the activation into that instead. */
function isDropped(Y: Tensor, expression: Expression): boolean {
  const user = expression.userOf(Y);
  return user !== null && DROPOUT.of(user) !== null;
}

/** True if neither a bias nor relu was merged into it yet. */
function isOpen({ bias, relu }: { readonly bias: Tensor | null; readonly relu: boolean }): boolean {
  return bias === null && !relu;
}

function asConvolution(X: Tensor): FinishedConvolution | null {
  const plain = CONVOLVE.of(X);
  return plain ? { ...plain, bias: null, relu: false, nodes: null } : FINISHED_CONVOLUTION.of(X);
}

function asProduct(X: Tensor): FinishedProduct | null {
  const plain = MATMUL.of(X);
  return plain ? { ...plain, bias: null, relu: false } : FINISHED_PRODUCT.of(X);
}
