import type { Flips } from "../../../graph/flips.ts";
import type { AttackLoss } from "../../losses.ts";
import type { LocalTarget } from "../local-task.ts";
import type { NodeBlock } from "./candidate-space.ts";
import type { RowLoss } from "./goal-loss.ts";

/** What local PR-BCD asks of a victim: one node's logits as a function of the weights of candidate flips. */
export interface RelaxedNode {
  /** Lays candidates over the clean graph; the weights of later steps are theirs, in the same order. */
  lay(block: NodeBlock): Promise<void>;
  /**
   * The node at A ⊕ p, with the gradient of a loss by all weights, by default what the attacker maximises. Pairs at the floor are left
   * out of A ⊕ p. The weights must not change afterwards.
   */
  step(weights: Float64Array, loss?: RowLoss): Promise<NodeStep>;
  /**
   * How far the goal would be, as a difference of logits, with each candidate flipped besides those at `places`: cheap and rough, to
   * choose what is worth trying.
   */
  estimate(places: readonly number[]): Promise<Float64Array>;
  /** Logits of the node on the discrete graph with these flips, as the victim computes them. */
  logitsAfter(flips: Flips): Promise<ArrayLike<number>>;
  dispose(): void;
}

/** One epoch of one node. */
export interface NodeStep {
  readonly logits: ArrayLike<number>;
  readonly loss: number;
  readonly gradient: Float64Array;
}

/** What a victim computed once for all nodes. */
export interface RelaxedVictim {
  /** True if trying flips takes much less than a pass over the whole graph. */
  readonly isCheap: boolean;
  /** One node of it; only one is in use at a time. */
  relaxed(target: LocalTarget, goal: NodeGoal): RelaxedNode;
  dispose(): void;
}

/** What the attacker maximises, and the weight of candidates that are not in use. */
export interface NodeGoal {
  readonly loss: AttackLoss;
  readonly floor: number;
}
