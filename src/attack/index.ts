/**
 * Attacks on the edges of a graph, what they maximise, and the parts that another attack can be written with.
 *
 * @module rgnn/attack
 */
export type {
  Attack,
  AttackCost,
  AttackResult,
  AttackTask,
  Perturbation,
  PolishReport,
  ScoreChange,
  StageReport,
  TraceEntry,
} from "./attack.ts";
export { accuracyAfter, attackWith, type Found } from "./attack-with.ts";
export { type AutoOptions, auto, autoDefaults, resumeAuto } from "./auto/auto.ts";
export { type CandidateBlock, sampleBlock } from "./block.ts";
export { edgeBudget } from "./budget.ts";
export { Allowance } from "./constraints/allowance.ts";
export { type ConstraintRules, Constraints } from "./constraints/constraints.ts";
export { type DiceOptions, dice, diceDefaults } from "./dice.ts";
export { type EvaOptions, eva, evaDefaults, resumeEva } from "./eva/eva.ts";
export { type FgsmOptions, fgsm, fgsmDefaults } from "./fgsm.ts";
export { type AttackKind, globalAttacks, type ResumedAttack } from "./global-attacks.ts";
export { type GrbcdOptions, grbcd, grbcdDefaults, resumeGrbcd } from "./grbcd.ts";
export type { AttackedGraph, DirectedRows } from "./local/attacked-graph.ts";
export { type ExhaustiveOptions, exhaustive, exhaustiveDefaults } from "./local/exhaustive.ts";
export { type FgaOptions, fga, fgaDefaults } from "./local/fga.ts";
export { flipsAt } from "./local/flips-at.ts";
export { localAttackOnRows, localAttackWith, type PreparedSearch } from "./local/local-attack-with.ts";
export { type LocalAttackKind, localAttacks } from "./local/local-attacks.ts";
export { type LocalDiceOptions, localDice, localDiceDefaults } from "./local/local-dice.ts";
export { localPrbcd, localPrbcdOnRows, type RowSource } from "./local/local-prbcd.ts";
export { type LocalPrbcdOptions, localPrbcdDefaults } from "./local/local-prbcd-options.ts";
export type { LocalResult } from "./local/local-result.ts";
export type {
  FoundFlips,
  Influence,
  LocalAttack,
  LocalBudget,
  LocalSearch,
  LocalTarget,
  LocalTask,
} from "./local/local-task.ts";
export type { Neighbourhood, NeighbourhoodEdge } from "./local/neighbourhood.ts";
export { type NettackOptions, nettack, nettackDefaults } from "./local/nettack.ts";
export type { NodeOutcome } from "./local/node-outcome.ts";
export { type NodeTrials, nodeTrials } from "./local/node-trials.ts";
export type { FeatureSource } from "./local/prbcd/encoded-slots.ts";
export { sga } from "./local/sga.ts";
export { type SgaOptions, sgaDefaults } from "./local/sga-options.ts";
export {
  type AttackLoss,
  blend,
  ce,
  cw,
  eluMargin,
  farMargin,
  leakyCw,
  lossByName,
  lossNames,
  margin,
  mce,
  nce,
  tanhCw,
  tanhMargin,
} from "./losses.ts";
export {
  accuracyObjective,
  customObjective,
  marginObjective,
  type Objective,
  objectiveByName,
  type PerNodeScore,
  targetedAt,
} from "./objective.ts";
export { type PgdOptions, pgd, pgdDefaults } from "./pgd.ts";
export { type PolishOptions, polish, polishDefaults } from "./polish/polish.ts";
export { type PrbcdOptions, prbcd, prbcdDefaults } from "./prbcd.ts";
export {
  type Classification,
  classify,
  type NodeClassification,
  type TargetOutcome,
  TargetOutcomes,
} from "./target-outcomes.ts";
export { checkDifferentiable, type Evaluation, type Victim } from "./victim.ts";
