import { IntTensor } from "../int-tensor.ts";
import { computeAs, defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { argumentOf } from "../ops/elementwise.ts";
import { COUNT_CORRECT, MARGINS } from "../ops/margins.ts";
import { WEIGHTED_SUM } from "../ops/reductions.ts";
import { empty, filled, type Tensor } from "../tensor.ts";
import type { Expression } from "./expression.ts";
import type { Rule } from "./rule.ts";

const TANH_MARGINS = new OpKind("tanhMargins");
const COUNTED = new OpKind("counted");

/** The sum of the tanh of margins, and the number of correct rows, in one pass over the rows. */
export const tanhMargins: Rule = { kinds: [WEIGHTED_SUM], rewrite };

function rewrite(Y: Tensor, expression: Expression): void {
  const total = WEIGHTED_SUM.of(Y);
  if (!total || !expression.isInner(total.X)) return;
  const margins = argumentOf("tanh", total.X);
  const operands = margins && expression.isInner(margins) ? MARGINS.of(margins) : null;
  if (!operands) return;
  const { X, column } = operands;
  const counts = expression.pending.find((other) => {
    const counted = COUNT_CORRECT.of(other);
    return counted?.X === X && counted.column === column;
  });
  computeAs(Y, summed(X, column, total.weight, counts ?? null));
  if (counts) computeAs(counts, countedBy(Y));
}

/** `correct`, if not null, receives the number of correctly classified rows. */
function summed(X: Tensor, column: IntTensor, factor: number, correct: Tensor | null): Tensor {
  const { backend } = X;
  const [rows, cols] = X.shape;
  const tanhs = empty(backend, [rows]);
  const rivals = new IntTensor(backend, backend.alloc("i32", rows));
  const saved = { tanhs: tanhs.buffer, rivals: rivals.buffer };
  return defer({
    kind: TANH_MARGINS,
    operands: {},
    backend,
    shape: [1],
    inputs: [X],
    forward: (y) => {
      const count = correct?.allocate() ?? empty(backend, [1]).buffer;
      backend.tanhMargins({ out: y.buffer, correct: count, saved, X: X.buffer, column: column.buffer, cols, factor });
    },
    gradients: (d) => [
      () => {
        const dX = empty(backend, X.shape);
        backend.tanhMarginsGrad({ dX: dX.buffer, d: d.buffer, saved, column: column.buffer, cols, factor });
        return dX;
      },
    ],
  });
}

/** The number of correct rows, which the op that computes `total` writes as well. */
function countedBy(total: Tensor): Tensor {
  return defer({
    kind: COUNTED,
    operands: {},
    backend: total.backend,
    shape: [1],
    inputs: [total],
    forward: () => {},
    gradients: () => [() => filled(total.backend, total.shape, 0)], // a count is flat almost everywhere
  });
}
