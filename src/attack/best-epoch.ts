import type { Tensor } from "../tensor/index.ts";
import { affine, relax, scope } from "../tensor/index.ts";
import { BestBlock } from "./best-block.ts";
import { blockOfFlips, type CandidateBlock, withHeaviestOnly } from "./block.ts";
import type { Constraints } from "./constraints/constraints.ts";
import { heaviest } from "./discretise.ts";
import type { AttackLoss } from "./losses.ts";
import type { LaunchedEvaluation, Victim } from "./victim.ts";

/** How epochs are compared. */
export interface Comparison {
  readonly bestBy: "accuracy" | "loss" | "discrete" | "final";
  readonly loss: AttackLoss;
  /** Weight of a candidate that is not in use. */
  readonly floor: number;
}

/** What the flips of an attack must keep to. */
export interface Bounds {
  readonly budget: number;
  readonly constraints?: Constraints;
}

/**
 * Remembers the block of the epoch that did most harm, as the option `bestBy` measures it.
 *
 * The forward pass of an epoch also shows what the update before it did, because resampling in between drops only
 * candidates at the floor, unless more than half of the block is in use. So an epoch takes one pass, not two. An extra
 * pass evaluates an update only if no epoch's pass follows it on the same block, or if the discrete graph counts.
 * Everything is launched without waiting, unless constraints decide which flips make up the discrete graph.
 */
export class BestEpoch {
  private readonly victim: Victim;
  private readonly bounds: Bounds;
  private readonly comparison: Comparison;
  private readonly best: BestBlock;
  /** Whether the last update has not been evaluated yet. */
  private unseen = false;

  constructor(victim: Victim, bounds: Bounds, comparison: Comparison) {
    this.victim = victim;
    this.bounds = bounds;
    this.comparison = comparison;
    this.best = new BestBlock(victim.view);
  }

  /** Reports a pass over the relaxed graph of `block`, as the last update left it. */
  seen(outcome: LaunchedEvaluation, block: CandidateBlock): void {
    if (this.unseen && !this.isDiscrete) this.offer(outcome, block);
  }

  /** Reports that the weights of `block` have been updated. */
  async updated(block: CandidateBlock, isFineTuning: boolean): Promise<void> {
    const { bestBy } = this.comparison;
    this.unseen = true;
    if (bestBy === "discrete" || (bestBy === "final" && isFineTuning)) await this.evaluate(block);
  }

  /**
   * Fine-tuning starts from the best epoch so far; with `final`, which ignores epochs before fine-tuning, from the last
   * one.
   */
  async startFineTuning(block: CandidateBlock): Promise<void> {
    if (this.comparison.bestBy !== "final") await this.restore(block);
  }

  /** Replaces `block` by `next` and disposes it, unless the two are the same. */
  replace(block: CandidateBlock, next: CandidateBlock): CandidateBlock {
    if (next === block) return block;
    this.best.release(block);
    block.dispose();
    return next;
  }

  /** Writes the block of the best epoch over `block`, after comparing `block` itself with the others. */
  async restore(block: CandidateBlock): Promise<void> {
    if (this.unseen) await this.evaluate(block);
    this.best.restore(block);
  }

  dispose(): void {
    this.best.dispose();
  }

  private get isDiscrete(): boolean {
    const { bestBy } = this.comparison;
    return bestBy === "discrete" || bestBy === "final";
  }

  private async evaluate(block: CandidateBlock): Promise<void> {
    const { view } = this.victim;
    const { floor, loss } = this.comparison;
    const { budget, constraints } = this.bounds;
    if (this.isDiscrete && constraints) return this.evaluatePermitted(block, constraints);
    const graph = () => relax(view, this.isDiscrete ? withHeaviestOnly(block, budget) : block, floor);
    scope(() => this.offer(this.victim.launchEvaluation(graph, loss), block));
  }

  /** The host decides which of the heaviest pairs constraints permit, so this waits for the device. */
  private async evaluatePermitted(block: CandidateBlock, constraints: Constraints): Promise<void> {
    const { victim, comparison, bounds } = this;
    const flipped = blockOfFlips(victim.view, await heaviest(victim, block, bounds.budget, constraints));
    const graph = () => relax(victim.view, flipped, 0);
    scope(() => this.offer(victim.launchEvaluation(graph, comparison.loss), block));
    flipped.dispose();
  }

  private offer(outcome: LaunchedEvaluation, block: CandidateBlock): void {
    scope(() => this.best.offer(this.score(outcome), block));
    this.unseen = false;
  }

  /** Lower is better. */
  private score({ loss, score }: LaunchedEvaluation): Tensor {
    return this.comparison.bestBy === "loss" ? affine(loss, -1) : score;
  }
}
