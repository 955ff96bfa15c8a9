import type { Flips } from "../../graph/flips.ts";
import { relax, withFlips } from "../../tensor/index.ts";
import { blockOfFlips } from "../block.ts";
import { tanhCw } from "../losses.ts";
import { classify } from "../target-outcomes.ts";
import type { Evaluation, Victim } from "../victim.ts";

/** What a pass on a changed graph shows. */
export interface SeenGraph extends Evaluation {
  /** Margin of each attacked node, by its number, if the pass computes margins. */
  readonly margins?: Float32Array;
}

/**
 * Score and loss with these flips, which are laid over the graph if the model can see them there, else applied to a new
 * graph.
 */
export async function evaluateAfter(victim: Victim, flips: Flips): Promise<SeenGraph> {
  const { model, view, objective, attacked } = victim;
  if (model.differentiable.edges) {
    const block = blockOfFlips(view, flips);
    return victim.evaluate(() => relax(view, block, 0), objective.loss ?? tanhCw).finally(() => block.dispose());
  }
  const perturbed = withFlips(view, flips);
  try {
    const nodes = await attacked.nodes.read();
    const { score, margins } = await classify(model, perturbed, nodes, objective);
    const bounded = Float64Array.from(margins, (margin) => Math.tanh(Math.max(margin, 0)));
    const byNode = new Float32Array(view.numNodes);
    for (const [k, node] of nodes.entries()) byNode[node] = margins[k];
    const seen = { score, loss: -bounded.reduce((sum, value) => sum + value, 0) / nodes.length };
    // These margins are those of the true class: an objective towards a class has others.
    return objective.perNode?.towards === null ? { ...seen, margins: byNode } : seen;
  } finally {
    perturbed.dispose();
  }
}
