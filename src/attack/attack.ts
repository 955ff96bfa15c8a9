import type { Progress } from "../core/progress.ts";
import type { Rng } from "../core/rng.ts";
import type { StopSignal } from "../core/stop-signal.ts";
import type { Flips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import type { GraphView } from "../tensor/index.ts";
import type { Constraints } from "./constraints/constraints.ts";
import type { Objective } from "./objective.ts";
import type { TargetOutcomes } from "./target-outcomes.ts";

/** What an attack is asked to do. */
export interface AttackTask {
  /** Nodes whose classification it tries to change. */
  readonly nodes: ArrayLike<number>;
  /** Most edges it may flip. */
  readonly budget: number;
  readonly rng: Rng;
  /** What it wants to lower. Default: the number of attacked nodes that are right. */
  readonly objective?: Objective;
  /** Which flips it may make. Default: all. If they allow fewer flips than the budget, fewer come back. */
  readonly constraints?: Constraints;
  /** Other models of the graph: flips that are found on them may transfer. Only `auto` makes use of them. */
  readonly surrogates?: readonly Model[];
  readonly progress?: Progress;
  /** Ends the attack after the current epoch; the best perturbation so far is returned. */
  readonly signal?: StopSignal;
}

/** What the forward pass of an epoch measured, before the update of that epoch. */
export interface TraceEntry {
  readonly loss: number;
  /** The score of the objective on the relaxed graph. */
  readonly score: number;
  /** Share of attacked nodes that are right on the relaxed graph; null if the objective is not accuracy. */
  readonly accuracy: number | null;
  /**
   * Σ clip(p, 0, 1) after the gradient step, before the projection cuts it to the budget. Only of attacks that project.
   */
  readonly mass?: number;
  /** λ: how much the projection lowers every weight; 0 if the sum is within the budget. */
  readonly shift?: number;
}

/** What an attack changes about a graph. */
export interface Perturbation {
  /** At most `budget` pairs that differ from the clean graph (rule B1). */
  readonly flips: Flips;
}

/** One perturbation and what it does to the attacked nodes. */
export interface AttackResult {
  readonly perturbation: Perturbation;
  /** Every attacked node on the clean and on the returned discrete graph (rule B3), in the order of the task. */
  readonly targets: TargetOutcomes;
  /** Share of the attacked nodes that is classified correctly, on both graphs. */
  readonly accuracy: TargetOutcomes["accuracy"];
  /** The score of the objective, on both graphs. */
  readonly score: ScoreChange;
  readonly trace: readonly TraceEntry[];
  /** What each stage achieved, if the attack has several and keeps the strongest; else null. */
  readonly stages: readonly StageReport[] | null;
  /** What polish did after the search; null if there was none. */
  readonly polish: PolishReport | null;
  readonly cost: AttackCost;
  readonly interrupted: boolean;
}

/** The number that an objective wants to lower, on the clean and on the returned discrete graph. */
export interface ScoreChange {
  /** The name of the objective. */
  readonly objective: string;
  readonly clean: number;
  readonly adversarial: number;
}

/** A stage of an attack that has several. */
export interface StageReport {
  readonly name: string;
  /** The score of the objective after this stage. */
  readonly score: number;
  readonly seconds: number;
}

/** What polish did to the flips of a search. */
export interface PolishReport {
  /** The score of the objective before polish and after each round: it never rises (rule B6). */
  readonly scores: readonly number[];
  readonly seconds: number;
}

/** What an attack took: epochs, wall-clock time, and the most device memory in use at once. */
export interface AttackCost {
  readonly epochs: number;
  readonly seconds: number;
  readonly secondsPerEpoch: number;
  readonly peakBytes: number;
}

/** Every attack has this signature, so that the runner, the command line and adversarial training treat them alike. */
export type Attack<Options> = (
  model: Model,
  view: GraphView,
  task: AttackTask,
  options?: Partial<Options>,
) => Promise<AttackResult>;
