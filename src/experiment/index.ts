/**
 * A graph and a model by name, an attack on it, a comparison of several: what the command line runs. Needs Node.
 *
 * @module rgnn/experiment
 */
export { type AttackReport, attackVictim, type VictimChoice } from "./attack-victim.ts";
export { type BuiltModel, buildModel, type ModelChoice, trainModel } from "./build-model.ts";
export { modelKinds } from "./models.ts";
export {
  compareRobustness,
  type RobustnessPlan,
  type RobustnessResult,
  type RobustnessRow,
  type Steps,
} from "./robustness.ts";
export { type AttackChoice, type Resume, runAttack } from "./run-attack.ts";
export { runTrain, type TrainReport, type TrainRun } from "./run-train.ts";
export { openSession, type Session, type SessionOptions } from "./session.ts";
