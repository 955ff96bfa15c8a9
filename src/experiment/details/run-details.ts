import type { AttackCurve, TrainingCurve } from "./epoch-curve.ts";
import type { FlipProfile } from "./flip-profile.ts";
import type { GraphProfile } from "./graph-profile.ts";
import type { TargetProfile } from "./target-profile.ts";

/**
 * What a run keeps beside its accuracy, so that a report needs neither the graph nor the model: a few kilobytes of counts. Runs that were
 * measured by earlier versions have none of it.
 */
export interface RunDetails {
  readonly graph: GraphProfile;
  readonly targets: TargetProfile;
  /** Null for a model that was trained before curves were kept. */
  readonly training: TrainingCurve | null;
  /** Null without an attack. */
  readonly flips: FlipProfile | null;
  /** Null without an attack, and for attacks that have no epochs. */
  readonly attack: AttackCurve | null;
}
