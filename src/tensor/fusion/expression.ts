import type { Tensor } from "../tensor.ts";

/** The tensors that are still to be computed for some results, and how often each is used on the way. */
export class Expression {
  /** Inputs before what is made from them. */
  readonly pending: readonly Tensor[];
  private readonly roots: ReadonlySet<Tensor>;
  private readonly uses = new Map<Tensor, number>();

  constructor(roots: readonly Tensor[]) {
    this.roots = new Set(roots);
    const order: Tensor[] = [];
    for (const root of roots) this.visit(root, order);
    this.pending = order;
  }

  /** True if one pending op takes `X` and nobody else asks for it, so that it need not exist by itself. */
  isInner(X: Tensor): boolean {
    return this.uses.get(X) === 1 && !this.roots.has(X);
  }

  isRoot(X: Tensor): boolean {
    return this.roots.has(X);
  }

  private visit(X: Tensor, order: Tensor[]): void {
    if (!X.pending || this.uses.has(X)) return;
    this.uses.set(X, 0);
    for (const input of X.pending.inputs) {
      if (!input?.pending) continue;
      this.visit(input, order);
      this.uses.set(input, this.uses.get(input)! + 1);
    }
    order.push(X);
  }
}
