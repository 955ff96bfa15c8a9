import type { Backend } from "../backend/backend.ts";
import type { OpKind } from "./op-kind.ts";
import { inScopeOf, isInScope } from "./scope.ts";
import { type GradThunk, record, track } from "./tape.ts";
import { type Shape, Tensor } from "./tensor.ts";

/** An op that was called but not computed yet. */
export interface PendingOp {
  readonly kind: OpKind<object>;
  readonly operands: object;
  readonly inputs: readonly (Tensor | null)[];
  readonly forward: (out: Tensor) => void;
  readonly gradients: (dY: Tensor, Y: Tensor) => readonly GradThunk[];
  /** Computes `roots`, which include the result of this op, and everything that they depend on. */
  readonly compute: (roots: readonly Tensor[]) => void;
}

/** What an op passes to {@link defer}, after checking shapes. */
export interface Op<Operands extends object> {
  readonly kind: OpKind<Operands>;
  /** The arguments of the call, for the rules in `fusion/`. */
  readonly operands: Operands;
  readonly backend: Backend;
  readonly shape: Shape;
  /** All tensors that the result depends on; null for an optional one that is absent. */
  readonly inputs: readonly (Tensor | null)[];
  /** Launches the kernels that write the result. */
  readonly forward: (out: Tensor) => void;
  /** The gradient of each input, in the order of `inputs`, given the result Y and its gradient dY. */
  readonly gradients: (dY: Tensor, Y: Tensor) => readonly GradThunk[];
}

/**
 * The result of an op. Inside a scope it is computed as late as possible, when its values are needed, so that the whole
 * expression is known by then; outside any scope it is computed at once.
 *
 * @example
 * const SCALE = new OpKind<{ readonly X: Tensor; readonly by: number }>("scale", { isPure: true });
 *
 * // by·X
 * function scale(X: Tensor, by: number): Tensor {
 *   const { backend, shape } = X;
 *   return defer({
 *     kind: SCALE,
 *     operands: { X, by },
 *     backend,
 *     shape,
 *     inputs: [X],
 *     forward: (Y) => backend.affine({ out: Y.buffer, a: by, A: X.buffer }),
 *     gradients: (dY) => [() => scale(dY, by)],
 *   });
 * }
 */
export function defer<Operands extends object>(op: Op<Operands>): Tensor {
  const { kind, operands, backend, shape, inputs, forward, gradients } = op;
  const out = new Tensor(backend, null, shape);
  out.pending = { kind: kind as OpKind<object>, operands, inputs, forward, gradients, compute: computeAll };
  track(out, inputs);
  if (!isInScope()) computeAll([out]);
  return out;
}

/** Makes `X` compute what the pending tensor `by` would, and gives up `by`. The values must be the same. */
export function computeAs(X: Tensor, by: Tensor): void {
  X.pending = by.pending;
  by.pending = null;
}

let rewrite: (roots: readonly Tensor[]) => void = () => {};

/** Sets the function that may rewrite pending tensors before they are computed. */
export function rewriteWith(rewriter: (roots: readonly Tensor[]) => void): void {
  rewrite = rewriter;
}

function computeAll(roots: readonly Tensor[]): void {
  if (isInScope()) rewrite(roots); // outside a scope, nobody would free the tensors it makes
  for (const root of roots) compute(root);
}

function compute(X: Tensor): void {
  const op = X.pending;
  if (!op) return;
  for (const input of op.inputs) if (input) compute(input);
  if (!X.pending) return; // computed along with an input
  inScopeOf(X, () => {
    X.allocate();
    X.pending = null;
    try {
      op.forward(X);
    } catch (error) {
      X.dispose(); // its storage holds no valid values
      throw error;
    }
    record(X, op.inputs, op.gradients);
  });
}
