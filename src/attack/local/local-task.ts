import type { Progress } from "../../core/progress.ts";
import type { Rng } from "../../core/rng.ts";
import type { StopSignal } from "../../core/stop-signal.ts";
import type { Flips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import type { GraphView } from "../../tensor/index.ts";
import type { LocalResult } from "./local-result.ts";

/** What an attack on single nodes is asked to do. Each node is attacked on the clean graph, with a budget of its own. */
export interface LocalTask {
  /** Nodes whose classification it tries to change, one after the other. */
  readonly nodes: ArrayLike<number>;
  readonly budget: LocalBudget;
  readonly rng: Rng;
  /** The class that the nodes should get: one for all, or one per node. Default: any but their own. */
  readonly towards?: number | readonly (number | null)[];
  /**
   * Which of the nodes to attack, as places in `nodes`; the next place is read from the iterator when a node is
   * finished, so that several threads can share a task. Default: all, in order.
   */
  readonly places?: Iterable<number>;
  /** Which edges may be flipped. Default `direct`. */
  readonly influence?: Influence;
  /** The model that is evaluated, if flips are found on another one. */
  readonly victim?: Model;
  /**
   * Which part of the graph the victim is evaluated on: all of it, which is the default, or the nodes within two steps
   * of the attacked one, as in the published comparison with SGA.
   */
  readonly evaluateOn?: "graph" | "subgraph";
  /** Counts finished nodes. */
  readonly progress?: Progress;
  /** Ends the attack; the node at hand is the last one that comes back, with the best perturbation so far. */
  readonly signal?: StopSignal;
}

/** How many flips a node allows: a share of its degree, half-way cases to the even number, or the same number for every node. */
export type LocalBudget = ({ readonly share: number } | { readonly flips: number }) & {
  /** Ask for the fewest flips that reach the goal; the budget is then the most that is tried. */
  readonly minimal?: boolean;
};

/**
 * `direct`: edges of the attacked node; `influencer`: edges of its neighbours that do not end at the node itself; `both`: edges of
 * either.
 */
export type Influence = "direct" | "influencer" | "both";

/** One node to attack, and how. */
export interface LocalTarget {
  readonly node: number;
  /** Its true class. */
  readonly label: number;
  /** Nodes that it aggregates from on the clean graph. */
  readonly degree: number;
  /** Most flips, at least 1. */
  readonly budget: number;
  /** The class that it should get, or null for any but its own. */
  readonly towards: number | null;
  readonly influence: Influence;
  /** Random numbers of this node alone: what it draws does not depend on which other nodes are attacked. */
  readonly rng: Rng;
  readonly signal?: StopSignal;
}

/** What a search finds for one node. Flips that are made one by one come in that order. */
export interface FoundFlips extends Flips {
  /** Steps that it took, if it counts them. */
  readonly epochs?: number;
}

/** Finds flips for one node on the clean graph: at most its budget, at the node or at its neighbours as its influence says. */
export type LocalSearch = (target: LocalTarget) => Promise<FoundFlips>;

/** Every attack on single nodes has this signature: results come as nodes are finished, in the order of the task. */
export type LocalAttack<Options> = (
  model: Model,
  view: GraphView,
  task: LocalTask,
  options?: Partial<Options>,
) => AsyncGenerator<LocalResult, void>;
