import type { Flips } from "../../graph/flips.ts";
import type { Pprgo } from "../../nn/models/pprgo.ts";
import type { Values } from "../../tensor/index.ts";
import type { AttackedGraph } from "./attacked-graph.ts";
import { flippedRowLogits } from "./fresh-logits.ts";
import type { Labelled, NodeEvaluator } from "./node-evaluator.ts";
import { rowLogits } from "./node-logits.ts";
import { type NodeOutcome, nodeOutcome } from "./node-outcome.ts";
import { PushedTrials } from "./pushed-trials.ts";

/** PPRGo and its relatives on the rows of a graph of any size. */
export class RowsEvaluator implements NodeEvaluator {
  private readonly model: Pprgo;
  private readonly graph: AttackedGraph;
  private readonly cleanLogits: ReadonlyMap<number, Values>;
  private readonly trials: PushedTrials;

  private constructor(model: Pprgo, graph: AttackedGraph, cleanLogits: ReadonlyMap<number, Values>) {
    this.model = model;
    this.graph = graph;
    this.cleanLogits = cleanLogits;
    this.trials = new PushedTrials(model, graph);
  }

  /** Evaluates the nodes on the clean graph. The caller disposes it. */
  static async open(model: Pprgo, graph: AttackedGraph, nodes: ArrayLike<number>): Promise<RowsEvaluator> {
    const logits = await rowLogits(model, graph, nodes);
    return new RowsEvaluator(model, graph, new Map(Array.from(nodes, (node, k) => [node, logits[k]])));
  }

  clean({ node, label }: Labelled): NodeOutcome {
    return nodeOutcome(this.cleanLogits.get(node)!, label);
  }

  async afresh(target: Labelled, flips: Flips): Promise<NodeOutcome> {
    if (flips.sources.length === 0) return this.clean(target);
    return nodeOutcome(await flippedRowLogits(this.model, this.graph, target.node, flips), target.label);
  }

  async tried({ node, label }: Labelled, flips: Flips): Promise<NodeOutcome> {
    return nodeOutcome(await this.trials.logits(node, flips), label);
  }

  dispose(): void {
    this.trials.dispose();
  }
}
