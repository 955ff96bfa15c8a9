import type { Tensor } from "../tensor.ts";

/** The pending tensors that some results (the roots) depend on, and which tensor is computed from each. */
export class Expression {
  /** In topological order: inputs before the tensors computed from them. */
  readonly pending: readonly Tensor[];
  private readonly roots: readonly Tensor[];
  /** The only pending tensor computed from a tensor; null if there are several, or none. */
  private readonly onlyUser = new Map<Tensor, Tensor | null>();

  constructor(roots: readonly Tensor[]) {
    this.roots = roots;
    const order: Tensor[] = [];
    for (const root of roots) this.visit(root, null, order);
    this.pending = order;
  }

  /** The only tensor computed from `X`, so that `X` itself need not be; null if there are several or `X` is a root. */
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
