export type { Attack, AttackCost, AttackResult, AttackTask, Perturbation, TraceEntry } from "./attack.ts";
export { accuracyAfter } from "./attack-with.ts";
export { edgeBudget } from "./budget.ts";
export { type DiceOptions, dice, diceDefaults, diceOptions } from "./dice.ts";
export { type FgsmOptions, fgsm, fgsmDefaults, fgsmOptions } from "./fgsm.ts";
export { type AttackKind, globalAttacks } from "./global-attacks.ts";
export { type GrbcdOptions, grbcd, grbcdDefaults, grbcdOptions, resumeGrbcd } from "./grbcd.ts";
export {
  type AttackLoss,
  blend,
  ce,
  cw,
  eluMargin,
  leakyCw,
  logitMargin,
  lossByName,
  lossNames,
  margin,
  mce,
  nce,
  tanhMargin,
} from "./losses.ts";
export { type PgdOptions, pgd, pgdDefaults, pgdOptions } from "./pgd.ts";
export { type PrbcdOptions, prbcd, prbcdDefaults, prbcdOptions } from "./prbcd.ts";
export {
  type Classification,
  classify,
  type NodeClassification,
  type TargetOutcome,
  TargetOutcomes,
} from "./target-outcomes.ts";
