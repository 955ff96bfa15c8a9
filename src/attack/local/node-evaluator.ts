import type { Flips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import { type GraphView, type Values, withFlips } from "../../tensor/index.ts";
import { type FreshLogits, freshLogits } from "./fresh-logits.ts";
import type { LocalTarget, LocalTask } from "./local-task.ts";
import { nearbyLogits, nodeLogits } from "./node-logits.ts";
import { type NodeOutcome, nodeOutcome } from "./node-outcome.ts";
import { type NodeTrials, nodeTrials } from "./node-trials.ts";

type Scope = NonNullable<LocalTask["evaluateOn"]>;
export type Labelled = Pick<LocalTarget, "node" | "label">;

/** What a victim says about attacked nodes, on the clean graph and on perturbed ones. */
export interface NodeEvaluator {
  clean(target: Labelled): NodeOutcome;
  /** On the discrete graph with these flips, by the victim's own forward pass (rule B3). */
  afresh(target: Labelled, flips: Flips): Promise<NodeOutcome>;
  /**
   * Like {@link NodeEvaluator.afresh} up to rounding, but as cheap as the victim allows: for a search that tries many
   * flips.
   */
  tried(target: Labelled, flips: Flips): Promise<NodeOutcome>;
  dispose(): void;
}

/**
 * Evaluates the nodes on the clean graph, and returns what evaluates them on perturbed graphs: on the whole graph, or
 * near each node, as `scope` says. The caller disposes it.
 */
export async function openEvaluator(
  victim: Model,
  view: GraphView,
  nodes: ArrayLike<number>,
  scope: Scope,
): Promise<NodeEvaluator> {
  const rows = scope === "graph" ? await nodeLogits(victim, view, nodes) : [];
  if (scope === "subgraph") for (const node of Array.from(nodes)) rows.push(await nearbyLogits(victim, view, node));
  return new ViewEvaluator(victim, view, scope, new Map(Array.from(nodes, (node, k) => [node, rows[k]])));
}

/** Evaluates nodes of a graph in memory. */
class ViewEvaluator implements NodeEvaluator {
  private readonly victim: Model;
  private readonly view: GraphView;
  private readonly scope: Scope;
  private readonly cleanLogits: ReadonlyMap<number, Values>;
  private readonly fresh: FreshLogits;
  private readonly trials: NodeTrials;

  constructor(victim: Model, view: GraphView, scope: Scope, cleanLogits: ReadonlyMap<number, Values>) {
    this.victim = victim;
    this.view = view;
    this.scope = scope;
    this.cleanLogits = cleanLogits;
    this.fresh = freshLogits(victim, view);
    this.trials = nodeTrials(victim, view);
  }

  clean({ node, label }: Labelled): NodeOutcome {
    return nodeOutcome(this.cleanLogits.get(node)!, label);
  }

  async afresh(target: Labelled, flips: Flips): Promise<NodeOutcome> {
    if (flips.sources.length === 0) return this.clean(target);
    const { node, label } = target;
    const logits = this.scope === "graph" ? this.fresh(node, flips) : this.nearby(node, flips);
    return nodeOutcome(await logits, label);
  }

  private async nearby(node: number, flips: Flips): Promise<Values> {
    const perturbed = withFlips(this.view, flips);
    return nearbyLogits(this.victim, perturbed, node).finally(() => perturbed.dispose());
  }

  async tried(target: Labelled, flips: Flips): Promise<NodeOutcome> {
    if (this.scope === "subgraph") return this.afresh(target, flips);
    return nodeOutcome(await this.trials.logits(target.node, flips), target.label);
  }

  dispose(): void {
    this.trials.dispose();
  }
}
