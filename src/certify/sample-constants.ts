import { Constants, type GraphView } from "../tensor/index.ts";
import type { Disposable } from "../tensor/scope.ts";

/**
 * What stays the same while models vote: products of weights and features, over all noisy graphs, and what is made of the edges, such
 * as PageRank, over all models that see the same noisy graph.
 */
export class SampleConstants extends Constants {
  private readonly ofEdges = new Map<string, Disposable>();

  /** Not kept beyond the scope of the noisy graph, so that products with it do not count as constant. */
  override of<T extends Disposable>(_view: GraphView, key: string, make: () => T): T {
    if (!this.ofEdges.has(key)) this.ofEdges.set(key, make());
    return this.ofEdges.get(key) as T;
  }

  /** Another graph comes; what was made of the last one ends with its scope. */
  forgetEdges(): void {
    this.ofEdges.clear();
  }
}
