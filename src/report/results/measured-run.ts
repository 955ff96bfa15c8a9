import type { RunDetails } from "../../experiment/details/run-details.ts";
import type { SplitFacts } from "../../experiment/opened-split.ts";
import type { Quantity, RunDescription } from "../../experiment/study/run-description.ts";

/** A finished run as reports speak of it. */
export interface MeasuredRun {
  readonly id: string;
  readonly description: RunDescription;
  /** These three are labels: names, with whatever tells things of the same name apart. */
  readonly dataset: string;
  readonly model: string;
  /** Null for a measurement on the clean graph. */
  readonly attack: string | null;
  /** The model on which flips were found. */
  readonly attackedModel: string;
  /** Where the run stands on the axis of budgets: share of the edges, or number of flips. 0 without an attack. */
  readonly budget: number;
  readonly seed: number;
  readonly quantity: Quantity;
  /** What was measured, by the quantity. */
  readonly value: number;
  /** Accuracy after the attack; on the clean graph without one, and where something else was measured. */
  readonly accuracy: number;
  readonly clean: number;
  readonly seconds: number;
  readonly peakBytes: number;
  readonly finishedAt: number;
  /** Of attacks on single nodes, what became of each. */
  readonly nodes: readonly NodeOutcome[] | null;
  readonly flips: { readonly id: string; readonly added: number; readonly removed: number } | null;
  readonly attackCost: AttackCosts | null;
  readonly split: SplitFacts | null;
  /** Version, machine and so on, as they were noted. */
  readonly facts: Readonly<Record<string, string>>;
  /** Null for runs of versions that kept none. */
  readonly details: RunDetails | null;
}

/** A node that was attacked on its own. */
export interface NodeOutcome {
  /** Of probabilities. */
  readonly margin: { readonly clean: number; readonly adversarial: number };
  readonly success: boolean;
}

/** What an attack took. */
export interface AttackCosts {
  readonly epochs: number;
  readonly seconds: number;
  readonly peakBytes: number;
}

/** A run with an attack. */
export type AttackedRun = MeasuredRun & { readonly attack: string };

export function isAttacked(run: MeasuredRun): run is AttackedRun {
  return run.attack !== null;
}
