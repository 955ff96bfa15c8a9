import type { Tensor } from "../tensor.ts";

/** The tensors that are still to be computed for some results, and who uses each on the way. */
export class Expression {
  /** Inputs before what is made from them. */
  readonly pending: readonly Tensor[];
  private readonly roots: readonly Tensor[];
  /** The one pending op that takes a tensor; null if there are several, or none. */
  private readonly onlyUser = new Map<Tensor, Tensor | null>();

  constructor(roots: readonly Tensor[]) {
    this.roots = roots;
    const order: Tensor[] = [];
    for (const root of roots) this.visit(root, null, order);
    this.pending = order;
  }

  /** The result that `X` is only made for, if there is one: then `X` need not exist by itself. */
  userOf(X: Tensor): Tensor | null {
    return this.roots.includes(X) ? null : (this.onlyUser.get(X) ?? null);
  }

  isInner(X: Tensor): boolean {
    return this.userOf(X) !== null;
  }

  isRoot(X: Tensor): boolean {
    return this.roots.includes(X);
  }

  private visit(X: Tensor, user: Tensor | null, order: Tensor[]): void {
    if (!X.pending) return;
    if (this.onlyUser.has(X)) {
      this.onlyUser.set(X, null);
      return;
    }
    this.onlyUser.set(X, user);
    for (const input of X.pending.inputs) if (input?.pending) this.visit(input, X, order);
    order.push(X);
  }
}
