export {
  type AttackReport,
  type AttackRun,
  attackVictim,
  type BudgetChoice,
  PreparedVictim,
  type VictimChoice,
} from "./attack-victim.ts";
export { averageRobustness, type RobustnessErrors } from "./average-robustness.ts";
export { buildModel, type ModelChoice, trainModel } from "./build-model.ts";
export { type CurvePoint, type Curves, curvesChart } from "./curves-chart.ts";
export { type MeanError, meanError } from "./mean-error.ts";
export { modelKinds } from "./models.ts";
export { compareRobustness, type RobustnessPlan, type RobustnessResult } from "./robustness.ts";
export { type AttackChoice, runAttack } from "./run-attack.ts";
export { type EvaluateChoice, type EvaluateReport, nodeRows, runEvaluate, runPredict } from "./run-evaluate.ts";
export { attackSeeds, type Several, summariseAttacks, summariseTraining, trainSeeds } from "./run-several.ts";
export { runTrain, type TrainReport } from "./run-train.ts";
export { openSession, type Session, type SessionOptions } from "./session.ts";
export { openModel, type RunWatch, type TrainedChoice } from "./trained-model.ts";
