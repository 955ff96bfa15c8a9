/**
 * A graph and a model by name, an attack on it, a comparison of several: what the command line runs. Needs Node.
 *
 * @module rgnn/experiment
 */

export { type BuildPlace, type BuiltModel, buildModel, type ModelChoice, trainModel } from "../defense/build-model.ts";
export { modelKinds } from "../defense/model-kinds.ts";
export {
  type AttackReport,
  type AttackRun,
  attackVictim,
  type BudgetChoice,
  type VictimChoice,
} from "./attack-victim.ts";
export { collectionEntry } from "./collect-flips.ts";
export type { ConstraintFacts } from "./constraint-facts.ts";
export type {
  FlipReport,
  LocalAttackReport,
  NeighbourhoodReport,
  OutcomeReport,
  TargetReport,
} from "./local-report.ts";
export { type MeanError, meanError } from "./mean-error.ts";
export type { NodeAttackChoice, NodeBudgetChoice } from "./node-attack-choice.ts";
export type { GraphCounts, NodeSession } from "./node-session.ts";
export { openStoreSession, type StoreSession, type StoreSessionOptions } from "./on-store/store-session.ts";
export type { SplitFacts } from "./opened-split.ts";
export { compareModels, type ModelComparison } from "./results/compare-models.ts";
export { groupResults, type ResultGroup } from "./results/group-results.ts";
export {
  planRobustness,
  type RobustnessChoice,
  type RobustnessResult,
  type RobustnessRow,
  readRobustness,
} from "./robustness.ts";
export { type AttackChoice, type Resume, runAttack } from "./run-attack.ts";
export { type CollectionReport, type EntryOutcome, runCollection, type WorstCase } from "./run-collection.ts";
export { type EvaluateChoice, type EvaluateReport, type Evaluation, runEvaluate, runPredict } from "./run-evaluate.ts";
export { attackNodes, type LocalAttackRun } from "./run-node-attacks.ts";
export { runTrain, type TrainChoice, type TrainReport, type TrainRun } from "./run-train.ts";
export { type Failure, type RunStudyOptions, runStudy, type StudyReport } from "./runner/run-study.ts";
export type { WorkEvent } from "./runner/work-through.ts";
export { type OpenedGraph, openSession, type Session, type SessionOptions } from "./session.ts";
export { openRunStore } from "./store/open-run-store.ts";
export type { Patience } from "./store/patient-database.ts";
export type {
  Aggregate,
  CellColumn,
  CellValues,
  Changes,
  ColumnValues,
  FinishedRun,
  MergeReport,
  Owner,
  Page,
  PlannedRun,
  RunFilter,
  RunInFull,
  RunOutcome,
  RunRow,
  RunState,
  RunStore,
  SortedPage,
  StudyRecord,
  StudyWish,
  TakenRun,
  TakeOptions,
  WishedStudy,
} from "./store/store.ts";
export { type Plan, type PlanOptions, planStudy } from "./study/plan-study.ts";
export type {
  AttackDescription,
  BudgetDescription,
  CellDescription,
  CertificateDescription,
  CodeDescription,
  ConstraintDescription,
  DrawnNodes,
  GraphDescription,
  ModelDescription,
  Quantity,
  RunDescription,
} from "./study/run-description.ts";
export type { BudgetWish, DatasetChoice, NamedOptions, Study, StudyPart } from "./study/study.ts";
export { parseStudy, readStudy } from "./study/study-file.ts";
export type { RunWatch, TrainedChoice } from "./trained-model.ts";
export { chooseModels, type TunedGrid, type TunedModel } from "./tune/choose-models.ts";
export { drawModels } from "./tune/draw-models.ts";
export { type ModelGrid, readTunable, type TunableStudy, tuningStudy } from "./tune/model-grids.ts";
export { tunedStudy } from "./tune/tuned-study.ts";
