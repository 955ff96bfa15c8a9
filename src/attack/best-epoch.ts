import type { Tensor } from "../tensor/index.ts";
import { affine, relax, scope } from "../tensor/index.ts";
import { BestBlock } from "./best-block.ts";
import { type CandidateBlock, withHeaviestOnly } from "./block.ts";
import type { AttackLoss } from "./losses.ts";
import type { LaunchedEvaluation, Victim } from "./victim.ts";

/** How epochs are compared. */
export interface Comparison {
  readonly bestBy: "accuracy" | "loss" | "discrete" | "final";
  readonly loss: AttackLoss;
  /** Weight of a candidate that is not in use. */
  readonly floor: number;
}

/**
 * Remembers the block of the epoch that did most harm, as the option `bestBy` measures it.
 *
 * What an update does to the relaxed graph is seen by the pass of the next epoch, as resampling only drops candidates at the
 * floor. So an epoch takes one pass and not two; the graph is evaluated separately only where no next pass sees it, or where the
 * discrete graph counts. Everything is launched and nothing waited for.
 */
export class BestEpoch {
  private readonly victim: Victim;
  private readonly budget: number;
  private readonly comparison: Comparison;
  private readonly best: BestBlock;
  /** An update was made whose effect nobody has seen. */
  private unseen = false;

  constructor(victim: Victim, budget: number, comparison: Comparison) {
    this.victim = victim;
    this.budget = budget;
    this.comparison = comparison;
    this.best = new BestBlock(victim.view);
  }

  /** A pass has seen the relaxed graph of `block`, which the last update left. */
  seen(outcome: LaunchedEvaluation, block: CandidateBlock): void {
    if (this.unseen && !this.isDiscrete) this.offer(outcome, block);
  }

  /** The weights of `block` have been updated. */
  updated(block: CandidateBlock, isFineTuning: boolean): void {
    const { bestBy } = this.comparison;
    this.unseen = true;
    if (bestBy === "discrete" || (bestBy === "final" && isFineTuning)) this.evaluate(block);
  }

  /** Fine-tuning starts from the best epoch; with `final`, to which earlier ones do not count, from the last. */
  startFineTuning(block: CandidateBlock): void {
    if (this.comparison.bestBy !== "final") this.restore(block);
  }

  /** `next` comes in the place of `block`, which is disposed. */
  replace(block: CandidateBlock, next: CandidateBlock): CandidateBlock {
    this.best.release(block);
    block.dispose();
    return next;
  }

  /** Writes the block of the best epoch over `block`, which counts as one of them. */
  restore(block: CandidateBlock): void {
    if (this.unseen) this.evaluate(block);
    this.best.restore(block);
  }

  dispose(): void {
    this.best.dispose();
  }

  private get isDiscrete(): boolean {
    const { bestBy } = this.comparison;
    return bestBy === "discrete" || bestBy === "final";
  }

  private evaluate(block: CandidateBlock): void {
    const { view } = this.victim;
    const { floor, loss } = this.comparison;
    const graph = () => relax(view, this.isDiscrete ? withHeaviestOnly(block, this.budget) : block, floor);
    scope(() => this.offer(this.victim.launchEvaluation(graph, loss), block));
  }

  private offer(outcome: LaunchedEvaluation, block: CandidateBlock): void {
    scope(() => this.best.offer(this.score(outcome), block));
    this.unseen = false;
  }

  /** Lower is better. */
  private score({ loss, correct }: LaunchedEvaluation): Tensor {
    return this.comparison.bestBy === "loss" ? affine(loss, -1) : correct;
  }
}
