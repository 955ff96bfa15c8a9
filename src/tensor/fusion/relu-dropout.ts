import { computeAs, defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { argumentOf, DROPOUT } from "../ops/elementwise.ts";
import { spare } from "../tape.ts";
import type { Tensor } from "../tensor.ts";
import type { Expression } from "./expression.ts";
import type { Rule } from "./rule.ts";

const RELU_DROPOUT = new OpKind("reluDropout");

/** `dropout(relu(X))` in one pass. Its gradient takes the mask from the result instead of drawing it again. */
export const reluDropout: Rule = { kinds: [DROPOUT], rewrite };

function rewrite(Y: Tensor, expression: Expression): void {
  const dropped = DROPOUT.of(Y);
  if (!dropped || !expression.isInner(dropped.X)) return;
  const X = argumentOf("relu", dropped.X);
  if (!X) return;
  const { backend } = X;
  const { rate, key } = dropped;
  const fused = defer({
    kind: RELU_DROPOUT,
    operands: {},
    backend,
    shape: X.shape,
    inputs: [X],
    forward: (Y) => backend.reluDropout(Y.buffer, X.buffer, rate, key),
    gradients: (dY, Y) => [
      () => {
        const dX = spare(dY);
        backend.reluDropoutGrad(dX.buffer, dY.buffer, Y.buffer, rate);
        return dX;
      },
    ],
  });
  computeAs(Y, fused);
}
