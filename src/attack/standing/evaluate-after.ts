import type { Flips } from "../../graph/flips.ts";
import { relax, withFlips } from "../../tensor/index.ts";
import { blockOfFlips } from "../block.ts";
import { tanhCw } from "../losses.ts";
import { classify } from "../target-outcomes.ts";
import type { Evaluation, Victim } from "../victim.ts";

/** Score and potential with these flips: laid over the graph where the model can see them there, else on a new graph. */
export async function evaluateAfter(victim: Victim, flips: Flips): Promise<Evaluation> {
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
    return { score, loss: -bounded.reduce((sum, value) => sum + value, 0) / nodes.length };
  } finally {
    perturbed.dispose();
  }
}
