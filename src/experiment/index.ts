export { type AttackReport, attackVictim, type VictimChoice } from "./attack-victim.ts";
export { buildModel, type ModelChoice, trainModel } from "./build-model.ts";
export { type CurvePoint, type Curves, curvesChart } from "./curves-chart.ts";
export { modelKinds } from "./models.ts";
export { compareRobustness, type RobustnessPlan, type RobustnessResult } from "./robustness.ts";
export { type AttackChoice, runAttack } from "./run-attack.ts";
export { runTrain, type TrainReport } from "./run-train.ts";
export { openSession, type Session, type SessionOptions, type SplitFacts } from "./session.ts";
export { type SplitSource, splitSource } from "./split-source.ts";
