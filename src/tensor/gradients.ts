import { isLocal } from "./scope.ts";
import { empty, type Tensor } from "./tensor.ts";

/**
 * The gradients of a walk back over a tape. An op may hand on the gradient of its output as that of an input, so one
 * tensor can stand for several gradients: uses are counted, and it is freed with its last use.
 */
export class Gradients {
  private readonly of = new Map<Tensor, Tensor>();
  private readonly uses = new Map<Tensor, number>();

  get(X: Tensor): Tensor | null {
    return this.of.get(X) ?? null;
  }

  /** True if the gradient of `X` stands for no other. */
  isOnlyFor(X: Tensor): boolean {
    const gradient = this.get(X);
    return gradient !== null && this.uses.get(gradient) === 1;
  }

  /** Adds the share of one use of `X` to its gradient. `X` itself says that the share was collected elsewhere. */
  add(X: Tensor, gradient: Tensor): void {
    const before = this.get(X);
    if (before === X) return;
    this.set(X, before ? this.sum(before, gradient) : gradient);
  }

  /** Forgets the gradient of `X`, and frees it unless it stands for another one too. */
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

  /** `A + B`, written over `B` if `B` was just made and stands for nothing yet. */
  private sum(A: Tensor, B: Tensor): Tensor {
    const out = this.uses.has(B) ? empty(B.backend, B.shape) : B;
    B.backend.affine({ out: out.buffer, a: 1, A: A.buffer, b: 1, B: B.buffer });
    return out;
  }
}
