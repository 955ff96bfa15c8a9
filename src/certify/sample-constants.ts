import type { Model } from "../nn/model.ts";
import { Constants, type GraphView } from "../tensor/index.ts";
import type { Disposable } from "../tensor/scope.ts";

/** Keys that already contain every option the matrix depends on, such as `exact 0.15 64`. */
const COMPLETE = /^(Â|exact|push|rank) |^A \+ I$/;

/**
 * Caches what stays the same while models vote: products of weights and features, for all noisy graphs, and what is
 * derived from the edges, such as PageRank, for all models that see the same noisy graph.
 */
export class SampleConstants extends Constants {
  private readonly ofEdges = new Map<string, Disposable>();
  private asking = "";

  /** Call before running a model: keys without options are shared only by models of the same kind and configuration. */
  servesNow({ name, config }: Pick<Model, "name" | "config">): void {
    this.asking = `${name} ${JSON.stringify(config)}`;
  }

  /** The result is not kept beyond the scope of the noisy graph, so that products with it do not count as constant. */
  override of<T extends Disposable>(_view: GraphView, key: string, make: () => T): T {
    const name = COMPLETE.test(key) ? key : `${key} of ${this.asking}`;
    if (!this.ofEdges.has(name)) this.ofEdges.set(name, make());
    return this.ofEdges.get(name) as T;
  }

  /** Forgets what was made of the last noisy graph; its scope frees it. */
  forgetEdges(): void {
    this.ofEdges.clear();
  }
}
