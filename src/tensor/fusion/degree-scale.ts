import { computeAs, defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { DEGREES, type DegreesOperands, endsOf, summedEdges } from "../ops/degrees.ts";
import { AFFINE, argumentOf, UNARY } from "../ops/elementwise.ts";
import { gradientByPairs } from "../overlay.ts";
import { empty, type Tensor } from "../tensor.ts";
import type { Expression } from "./expression.ts";
import type { Rule } from "./rule.ts";

const DEGREE_SCALE = new OpKind("degreeScale");

/** `1 / √(1 + d)` or `1 / (1 + d)` of the degrees d in one pass: the normalisation of a graph convolution. */
export const degreeScale: Rule = { kinds: [UNARY], rewrite };

function rewrite(Y: Tensor, expression: Expression): void {
  for (const f of ["rsqrt", "reciprocal"] as const) {
    const withSelfLoop = argumentOf(f, Y);
    const shifted = withSelfLoop && expression.isInner(withSelfLoop) ? AFFINE.of(withSelfLoop) : null;
    if (shifted?.a !== 1 || shifted.c !== 1 || !expression.isInner(shifted.X)) continue;
    const degrees = DEGREES.of(shifted.X);
    if (degrees) computeAs(Y, inverted(degrees, f));
  }
}

function inverted({ view, sums }: DegreesOperands, f: "rsqrt" | "reciprocal"): Tensor {
  const { backend, overlay, numNodes } = view;
  return defer({
    kind: DEGREE_SCALE,
    operands: {},
    backend,
    shape: [numNodes],
    inputs: [overlay?.signedWeights ?? null],
    forward: (out) => backend.degreeScale(out.buffer, summedEdges(view, sums), f),
    gradients: (d, out) => [
      () => {
        const slopes = empty(backend, out.shape);
        backend.unaryGrad(f, slopes.buffer, d.buffer, out.buffer, out.buffer); // both derivatives use only the result
        return gradientByPairs(overlay!, (pairs) => pairs.addSums(slopes, endsOf(view, sums)));
      },
    ],
  });
}
