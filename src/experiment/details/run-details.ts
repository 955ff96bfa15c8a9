import type { AttackCurve, TrainingCurve } from "./epoch-curve.ts";
import type { FlipProfile } from "./flip-profile.ts";
import type { GraphProfile } from "./graph-profile.ts";
import type { TargetProfile } from "./target-profile.ts";

/**
 * What a run keeps besides its accuracy: a few kilobytes of counts, so that a report needs neither the graph nor the
 * model. Runs measured by earlier versions have no details.
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
