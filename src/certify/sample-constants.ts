import type { Model } from "../nn/model.ts";
import { Constants, type GraphView } from "../tensor/index.ts";
import type { Disposable } from "../tensor/scope.ts";

/** Names that tell all that a matrix is made with besides the edges. */
const COMPLETE = /^(Â|exact|push|rank) |^A \+ I$/;

/**
 * What stays the same while models vote: products of weights and features, over all noisy graphs, and what is made of the edges, such
 * as PageRank, over all models that see the same noisy graph.
 */
export class SampleConstants extends Constants {
  private readonly ofEdges = new Map<string, Disposable>();
  private asking = "";

  /** This model is run next. What it calls by a name that leaves options out, it shares with models of the same kind and options only. */
  servesNow({ name, config }: Pick<Model, "name" | "config">): void {
    this.asking = `${name} ${JSON.stringify(config)}`;
  }

  /** Not kept beyond the scope of the noisy graph, so that products with it do not count as constant. */
  override of<T extends Disposable>(_view: GraphView, key: string, make: () => T): T {
    const name = COMPLETE.test(key) ? key : `${key} of ${this.asking}`;
    if (!this.ofEdges.has(name)) this.ofEdges.set(name, make());
    return this.ofEdges.get(name) as T;
  }

  /** Another graph comes; what was made of the last one ends with its scope. */
  forgetEdges(): void {
    this.ofEdges.clear();
  }
}
