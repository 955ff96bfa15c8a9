import { breathe } from "../../../core/breathe.ts";
import type { Flips } from "../../../graph/flips.ts";
import type { LocalTarget } from "../local-task.ts";
import type { CleanStack } from "../patched/clean-stack.ts";
import { PatchedGradient } from "../patched/patched-gradient.ts";
import { PatchedPass } from "../patched/patched-pass.ts";
import { PatchedTrials } from "../patched/patched-trials.ts";
import type { NodeBlock } from "./candidate-space.ts";
import { lossOfRow } from "./goal-loss.ts";
import { placesAbove } from "./places-above.ts";
import type { NodeGoal, NodeStep, RelaxedNode, RelaxedVictim } from "./relaxed-node.ts";

/** A stack of convolutions, of which an epoch computes only the rows that change. */
export class PatchedVictim implements RelaxedVictim {
  readonly isCheap = true;
  readonly pass: PatchedPass;
  readonly gradient: PatchedGradient;
  readonly trials: PatchedTrials;
  /** 1 at each end of the candidates that are laid over the graph. */
  readonly isEnd: Uint8Array;

  constructor(stack: CleanStack) {
    this.pass = new PatchedPass(stack);
    this.gradient = new PatchedGradient(this.pass);
    this.trials = new PatchedTrials(this.pass);
    this.isEnd = new Uint8Array(stack.graph.numNodes);
  }

  relaxed(target: LocalTarget, goal: NodeGoal): RelaxedNode {
    return new PatchedNode(this, target, goal);
  }

  dispose(): void {}
}

class PatchedNode implements RelaxedNode {
  private readonly victim: PatchedVictim;
  private readonly target: LocalTarget;
  private readonly goal: NodeGoal;
  private block: NodeBlock | null = null;

  constructor(victim: PatchedVictim, target: LocalTarget, goal: NodeGoal) {
    this.victim = victim;
    this.target = target;
    this.goal = goal;
  }

  async lay(block: NodeBlock): Promise<void> {
    this.mark(0);
    this.block = block;
    this.mark(1);
  }

  async step(weights: Float64Array): Promise<NodeStep> {
    const block = this.block!;
    const { pass, gradient, isEnd } = this.victim;
    const active = placesAbove(weights, this.goal.floor);
    const flips = {
      sources: Int32Array.from(active, (e) => block.sources[e]),
      targets: Int32Array.from(active, (e) => block.targets[e]),
    };
    const deltas = active.map((e) => block.signs[e] * weights[e]);
    const logits = pass.run(this.target.node, flips, deltas, isEnd);
    const loss = await lossOfRow(this.goal.loss, this.target, logits);
    const byPairs = gradient.by(block, isEnd, loss.gradient);
    await breathe(); // lets Ctrl-C and timers through
    return { logits, loss: loss.value, gradient: byPairs.map((slope, e) => slope * block.signs[e]) };
  }

  logitsAfter(flips: Flips): Promise<Float64Array> {
    return this.victim.trials.logits(this.target.node, flips);
  }

  dispose(): void {
    this.mark(0);
  }

  private mark(value: 0 | 1): void {
    if (!this.block) return;
    for (const node of this.block.sources) this.victim.isEnd[node] = value;
    for (const node of this.block.targets) this.victim.isEnd[node] = value;
  }
}
