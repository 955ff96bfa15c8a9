import type { RunDetails } from "../../experiment/details/run-details.ts";
import type { SplitFacts } from "../../experiment/opened-split.ts";
import type { Quantity, RunDescription } from "../../experiment/study/run-description.ts";

/** A finished run, labelled for reports. */
export interface MeasuredRun {
  readonly id: string;
  readonly description: RunDescription;
  /** This and the next three are labels: names with the options that tell things of the same name apart. */
  readonly dataset: string;
  readonly model: string;
  /** Null for a measurement on the clean graph. */
  readonly attack: string | null;
  /** The model on which flips were found. */
  readonly attackedModel: string;
  /** Budget on the axes of charts: share of the edges, or number of flips. 0 without an attack. */
  readonly budget: number;
  readonly seed: number;
  readonly quantity: Quantity;
  /** The measured value of `quantity`. */
  readonly value: number;
  /** Accuracy after the attack; clean accuracy if there was no attack, or if another quantity was measured. */
  readonly accuracy: number;
  readonly clean: number;
  readonly seconds: number;
  readonly peakBytes: number;
  readonly finishedAt: number;
  /** For attacks on single nodes, the outcome for each node. */
  readonly nodes: readonly NodeOutcome[] | null;
  readonly flips: { readonly id: string; readonly added: number; readonly removed: number } | null;
  readonly attackCost: AttackCosts | null;
  readonly split: SplitFacts | null;
  /** Version, machine and so on, as recorded with the run. */
  readonly facts: Readonly<Record<string, string>>;
  /** Null for runs of earlier versions, which kept none. */
  readonly details: RunDetails | null;
}

/** A node that was attacked on its own. */
export interface NodeOutcome {
  /** Probability margins. */
  readonly margin: { readonly clean: number; readonly adversarial: number };
  readonly success: boolean;
}

/** The cost of an attack. */
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
