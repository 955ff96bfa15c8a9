import type { Progress } from "../core/progress.ts";
import type { Rng } from "../core/rng.ts";
import type { StopSignal } from "../core/stop-signal.ts";
import type { Flips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import type { GraphView } from "../tensor/index.ts";
import type { TargetOutcomes } from "./target-outcomes.ts";

/** What an attack is asked to do. */
export interface AttackTask {
  /** Nodes whose classification it tries to change. */
  readonly nodes: ArrayLike<number>;
  /** Most edges it may flip. */
  readonly budget: number;
  readonly rng: Rng;
  readonly progress?: Progress;
  /** Ends the attack after the current epoch; the best perturbation so far is returned. */
  readonly signal?: StopSignal;
}

/** One epoch as it was seen before its update. */
export interface TraceEntry {
  readonly loss: number;
  /** Share of attacked nodes that are still right, on the relaxed graph. */
  readonly accuracy: number;
  /** Σ clip(p, 0, 1) after the step, where the attack has one; the projection then cuts it to the budget. */
  readonly mass?: number;
  /** λ: by how much it lowers every weight for that; 0 if the budget is not spent. */
  readonly shift?: number;
}

/** What an attack changes about a graph. */
export interface Perturbation {
  /** At most `budget` pairs that differ from the clean graph (rule B1). */
  readonly flips: Flips;
}

/**
 * One perturbation and what it does to the nodes that it is aimed at: all attacked nodes, or, where each node is attacked on its
 * own, that node; then there are as many results as nodes.
 */
export interface AttackResult {
  readonly perturbation: Perturbation;
  /** Every attacked node on the clean and on the returned discrete graph (rule B3), in the order of the task. */
  readonly targets: TargetOutcomes;
  /** Share of these that is classified correctly. */
  readonly accuracy: TargetOutcomes["accuracy"];
  readonly trace: readonly TraceEntry[];
  readonly cost: AttackCost;
  readonly interrupted: boolean;
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
