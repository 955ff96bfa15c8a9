import type { EdgeChanges } from "../../backend/backend.ts";
import { type Flips, noFlips } from "../../graph/flips.ts";
import { relax, withFlips } from "../../tensor/index.ts";
import { blockOfFlips } from "../block.ts";
import { toggleFlips } from "../choose-flips.ts";
import { tanhCw } from "../losses.ts";
import { classify } from "../target-outcomes.ts";
import type { Evaluation, Victim } from "../victim.ts";
import type { Gains, Standing } from "./standing.ts";

/** Stands at the clean graph of any model; every change costs a forward pass. */
export async function openWholePass(victim: Victim): Promise<Standing> {
  return new WholePassStanding(victim, noFlips, await evaluateAfter(victim, noFlips));
}

class WholePassStanding implements Standing {
  readonly isPatched = false;
  private readonly victim: Victim;
  private flips: Flips;
  private seen: Evaluation;

  constructor(victim: Victim, flips: Flips, seen: Evaluation) {
    this.victim = victim;
    this.flips = flips;
    this.seen = seen;
  }

  get score(): number {
    return this.seen.score;
  }

  async gains({ offsets, sources, targets }: EdgeChanges): Promise<Gains> {
    const score: number[] = [];
    const potential: number[] = [];
    for (let t = 0; t + 1 < offsets.length; t++) {
      const begin = offsets[t];
      const end = offsets[t + 1];
      const change = { sources: sources.subarray(begin, end), targets: targets.subarray(begin, end) };
      const changed = await evaluateAfter(this.victim, toggleFlips(this.flips, change));
      score.push(changed.score - this.seen.score);
      potential.push((this.seen.loss - changed.loss) * this.victim.attacked.size);
    }
    return { score, potential };
  }

  async toggle(flips: Flips): Promise<void> {
    this.flips = toggleFlips(this.flips, flips);
    this.seen = await evaluateAfter(this.victim, this.flips);
  }

  margins(): null {
    return null;
  }

  close(): void {}
}

/** Score and potential with these flips: laid over the graph where the model can see them there, else on a new graph. */
async function evaluateAfter(victim: Victim, flips: Flips): Promise<Evaluation> {
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
