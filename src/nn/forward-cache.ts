import { type Disposable, keep, scope } from "../tensor/scope.ts";

/** What does not change between the forward passes of one run. */
export type Fixed = "edges" | "weights";

/**
 * Products that every pass of a run would compute anew (`ÂX` while the edges stay, `XW` while the weights stay) are
 * computed once. Training fixes the edges, an attack fixes the weights, a single evaluation fixes nothing.
 */
export class ForwardCache {
  private readonly fixed: Fixed | null;
  private readonly made = new Map<string, Disposable>();

  constructor(fixed: Fixed | null = null) {
    this.fixed = fixed;
  }

  /** True if a product that depends only on features and on `what` may be kept. */
  holds(what: Fixed): boolean {
    return this.fixed === what;
  }

  /** The value under `key`, made at most once if it depends on nothing but features and `on`, and those are fixed. */
  once<T extends Disposable>(on: Fixed, key: string, make: () => T): T {
    if (!this.holds(on)) return make();
    if (!this.made.has(key)) this.made.set(key, keep(scope(make)));
    return this.made.get(key) as T;
  }

  dispose(): void {
    for (const item of this.made.values()) item.dispose();
    this.made.clear();
  }
}
