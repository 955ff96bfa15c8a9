/**
 * Attacks on the edges of a graph, what they maximise, and the parts that another attack can be written with.
 *
 * @module rgnn/attack
 */
export type { Attack, AttackCost, AttackResult, AttackTask, Perturbation, TraceEntry } from "./attack.ts";
export { accuracyAfter, attackWith, type Found } from "./attack-with.ts";
export { type CandidateBlock, sampleBlock } from "./block.ts";
export { edgeBudget } from "./budget.ts";
export { type DiceOptions, dice, diceDefaults } from "./dice.ts";
export { type FgsmOptions, fgsm, fgsmDefaults } from "./fgsm.ts";
export { type AttackKind, globalAttacks } from "./global-attacks.ts";
export { type GrbcdOptions, grbcd, grbcdDefaults, resumeGrbcd } from "./grbcd.ts";
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
  tanhMargin,
} from "./losses.ts";
export { type PgdOptions, pgd, pgdDefaults } from "./pgd.ts";
export { type PrbcdOptions, prbcd, prbcdDefaults } from "./prbcd.ts";
export {
  type Classification,
  classify,
  type NodeClassification,
  type TargetOutcome,
  TargetOutcomes,
} from "./target-outcomes.ts";
export { checkDifferentiable, type Evaluation, type Victim } from "./victim.ts";
