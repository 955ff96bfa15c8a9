import { isLocal } from "./scope.ts";
import { empty, type Tensor } from "./tensor.ts";

/**
 * The gradients during a backward pass. An op may pass on the gradient of its output as that of an input, so one tensor
 * can be the gradient of several others: its uses are counted, and it is freed after the last one.
 */
export class Gradients {
  private readonly of = new Map<Tensor, Tensor>();
  private readonly uses = new Map<Tensor, number>();

  get(X: Tensor): Tensor | null {
    return this.of.get(X) ?? null;
  }

  /** True if the gradient of `X` is not the gradient of another tensor too. */
  isOnlyFor(X: Tensor): boolean {
    const gradient = this.get(X);
    return gradient !== null && this.uses.get(gradient) === 1;
  }

  /** Adds the share of one use of `X` to its gradient. A share that is `X` itself means: it was collected elsewhere. */
  add(X: Tensor, gradient: Tensor): void {
    const before = this.get(X);
    if (before === X) return;
    this.set(X, before ? this.sum(before, gradient) : gradient);
  }

  /** Drops the gradient of `X`, and frees it unless it is the gradient of another tensor too. */
  release(X: Tensor): void {
    const gradient = this.get(X);
    if (!gradient) return;
    this.of.delete(X);
    const left = this.uses.get(gradient)! - 1;
    this.uses.set(gradient, left);
    if (left === 0 && isLocal(gradient)) gradient.dispose();
  }

  private set(X: Tensor, gradient: Tensor): void {
    this.uses.set(gradient, (this.uses.get(gradient) ?? 0) + 1);
    this.release(X);
    this.of.set(X, gradient);
  }

  /** `A + B`, written over `B` if `B` is new and not in use as a gradient yet. */
  private sum(A: Tensor, B: Tensor): Tensor {
    const out = this.uses.has(B) ? empty(B.backend, B.shape) : B;
    B.backend.affine({ out: out.buffer, a: 1, A: A.buffer, b: 1, B: B.buffer });
    return out;
  }
}
