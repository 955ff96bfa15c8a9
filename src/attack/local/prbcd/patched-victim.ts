import { breathe } from "../../../core/breathe.ts";
import type { Flips } from "../../../graph/flips.ts";
import type { LocalTarget } from "../local-task.ts";
import type { CleanStack } from "../patched/clean-stack.ts";
import { PatchedGradient } from "../patched/patched-gradient.ts";
import { PatchedPass } from "../patched/patched-pass.ts";
import { PatchedTrials } from "../patched/patched-trials.ts";
import type { NodeBlock } from "./candidate-space.ts";
import { estimateBySlopes } from "./estimate-by-slopes.ts";
import { flippedWeights } from "./flipped-weights.ts";
import { goalLoss, lossOfRow, type RowLoss } from "./goal-loss.ts";
import { placesAbove } from "./places-above.ts";
import type { NodeGoal, NodeStep, RelaxedNode, RelaxedVictim } from "./relaxed-node.ts";

/** Classes whose slopes are computed. */
const MOST_CLASSES = 8;

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
    this.trials = new PatchedTrials(async () => this.pass);
    this.isEnd = new Uint8Array(stack.graph.numNodes);
  }

  relaxed(target: LocalTarget, goal: NodeGoal): RelaxedNode {
    return new PatchedNode(this, target, goal);
  }

  dispose(): void {
    this.pass.stack.dispose();
  }
}

class PatchedNode implements RelaxedNode {
  private readonly victim: PatchedVictim;
  private readonly target: LocalTarget;
  private readonly goal: NodeGoal;
  private block: NodeBlock | null = null;
  /** Weights, logits and number of the last pass that a step ran. */
  private last: { readonly weights: Float64Array; readonly logits: Float64Array; readonly run: number } | null = null;

  constructor(victim: PatchedVictim, target: LocalTarget, goal: NodeGoal) {
    this.victim = victim;
    this.target = target;
    this.goal = goal;
  }

  async lay(block: NodeBlock): Promise<void> {
    this.mark(0);
    this.block = block;
    this.last = null;
    this.mark(1);
  }

  async step(weights: Float64Array, rowLoss: RowLoss = goalLoss(this.goal.loss, this.target)): Promise<NodeStep> {
    const block = this.block!;
    const logits = await this.logitsAt(weights, block);
    const loss = await lossOfRow(rowLoss, logits);
    const byPairs = await this.victim.gradient.by(block, this.victim.isEnd, loss.gradient);
    await breathe(); // lets Ctrl-C and timers through
    return { logits, loss: loss.value, gradient: byPairs.map((slope, e) => slope * block.signs[e]) };
  }

  estimate(places: readonly number[]): Promise<Float64Array> {
    const weights = flippedWeights(this.block!.signs.length, places, this.goal.floor);
    return estimateBySlopes(this, weights, this.target, MOST_CLASSES);
  }

  logitsAfter(flips: Flips): Promise<Float64Array> {
    return this.victim.trials.logits(this.target.node, flips);
  }

  dispose(): void {
    this.mark(0);
  }

  /** Several gradients at the same weights share one pass. */
  private async logitsAt(weights: Float64Array, { sources, targets, signs }: NodeBlock): Promise<Float64Array> {
    const { pass, isEnd } = this.victim;
    if (this.last?.weights === weights && this.last.run === pass.runs) return this.last.logits;
    const active = placesAbove(weights, this.goal.floor);
    const flips = {
      sources: Int32Array.from(active, (e) => sources[e]),
      targets: Int32Array.from(active, (e) => targets[e]),
    };
    const deltas = active.map((e) => signs[e] * weights[e]);
    const logits = await pass.run(this.target.node, flips, deltas, isEnd);
    this.last = { weights, logits, run: pass.runs };
    return logits;
  }

  private mark(value: 0 | 1): void {
    if (!this.block) return;
    for (const node of this.block.sources) this.victim.isEnd[node] = value;
    for (const node of this.block.targets) this.victim.isEnd[node] = value;
  }
}
