import type { Influence } from "../../attack/local/local-task.ts";
import type { Json } from "../../core/options/index.ts";
import type { Noise } from "../../graph/noise/noise.ts";
import { contentId } from "./canonical-json.ts";

/** A graph, how it is loaded, and what it must then hold. */
export interface GraphDescription {
  /** Name of a known graph, or a path. */
  readonly dataset: string;
  readonly directed?: boolean;
  readonly allComponents?: boolean;
  readonly ignoreWeights?: boolean;
  readonly binaryFeatures?: boolean;
  readonly adjacency?: string;
  /** See `graphContentHash`. */
  readonly sha256: string;
}

/** A model with all of its hyperparameters and those of its training. */
export interface ModelDescription {
  readonly name: string;
  readonly hyperparameters: Readonly<Record<string, Json>>;
  /** What it was trained with, if its weights were found with other hyperparameters than it is used with. */
  readonly trainedWith?: Readonly<Record<string, Json>>;
}

/** How many flips are allowed. */
export interface BudgetDescription {
  /** As it was asked for; null where the number of flips was. */
  readonly epsilon: number | null;
  /** Flips of all nodes together; of an attack on single nodes those of each, and 0 where a share of the degree was asked for. */
  readonly budget: number;
}

/** Which flips an attack may make. Nodes are sets by name: `train`, `val`, `test`. */
export interface ConstraintDescription {
  readonly only?: "additions" | "removals";
  readonly perNode?: number;
  readonly protectNodes?: string;
  readonly between?: readonly [string, string];
}

/** An attack with the options that were given; the others are those of the code. */
export interface AttackDescription extends BudgetDescription {
  readonly name: string;
  readonly options: Readonly<Record<string, Json>>;
  /** Null if the attack has none. */
  readonly loss: string | null;
  readonly objective: string;
  /** The model on which flips are found and then transferred; null: the victim itself. */
  readonly surrogate: ModelDescription | null;
  /** A model whose flips may help an attack on the victim itself, where it takes such help. */
  readonly helper?: ModelDescription;
  /** Smaller budgets that are attacked before: each goes on from the flips of the one before it, and this one from the last. */
  readonly after?: readonly BudgetDescription[];
  /** Rounds by which the flips are polished on the victim before it is evaluated. */
  readonly polish?: number;
  readonly constraints?: ConstraintDescription;
  /** Of attacks on single nodes, and of no others: which edges they may flip. */
  readonly influence?: Influence;
}

/**
 * Nodes to attack one by one, drawn as the published experiments do: for one budget after the other, of which the last is that of the
 * attack. The draws go on with one generator, so that they depend on the budgets before.
 */
export interface DrawnNodes {
  readonly drawnFor: readonly BudgetDescription[];
}

/** What can be measured: see `RunOutcome.value`. */
export type Quantity =
  | "accuracy"
  | "validation-accuracy"
  | "success-rate"
  | "hidden-shift"
  | "gradient-agreement"
  | "certificate";

/** Noise that smooths a model, and how its certificates are found. */
export interface CertificateDescription extends Noise {
  /** Of the noisy graphs. */
  readonly noiseSeed: number;
  /** Noisy graphs whose votes bound how often a class is chosen, and those whose votes choose it before. */
  readonly samples: number;
  readonly preSamples: number;
  /** How often a certificate may be wrong. */
  readonly alpha: number;
}

/** What is measured, seed and split aside: the runs of a cell are repetitions of the same experiment. */
export interface CellDescription {
  readonly graph: GraphDescription;
  /** As `--split` takes it; null: the published one. */
  readonly split: string | null;
  /** The victim. */
  readonly model: ModelDescription;
  /** Null: the accuracy on the clean graph is all that is measured. */
  readonly attack: AttackDescription | null;
  /** Whether the victim learned from the clean or from the perturbed graph. */
  readonly time: "evasion" | "poisoning";
  /** Which nodes are attacked and measured. */
  readonly nodes: "test" | DrawnNodes;
  readonly quantity: Quantity;
  /** Where certificates are measured, and nowhere else. */
  readonly certificate?: CertificateDescription;
  /** `cpu` or `webgpu`: they round differently. Numbers of threads are no part of it (rule R1). */
  readonly device: string;
  /** The device on which models learn, if it is another one. */
  readonly trainedOn?: string;
  /** The code that can change the result; see `codeHash`. */
  readonly code: CodeDescription;
}

/** Names of code; see `codeHash`. */
export interface CodeDescription {
  readonly training: string;
  readonly attack: string;
}

/** Everything that determines the result of a run. */
export interface RunDescription {
  readonly cell: CellDescription;
  readonly seed: number;
  /** See `splitHash`. */
  readonly splitHash: string;
}

/** The name of a run: equal for runs that must give the same result. */
export function runId(run: RunDescription): string {
  return contentId(asJson(run));
}

/** The name of a cell. */
export function cellId(cell: CellDescription): string {
  return contentId(asJson(cell));
}

/** The name of a trained model: of its weights, which it shares with the same model used with other hyperparameters. */
export function modelId({ cell, seed, splitHash }: RunDescription, used = cell.model): string {
  const { graph, trainedOn: device = cell.device, code } = cell;
  const model = { name: used.name, hyperparameters: used.trainedWith ?? used.hyperparameters };
  return contentId(asJson({ graph: graph.sha256, splitHash, seed, model, device, code: code.training }));
}

/** The model on which the flips of a run are found. */
export function attackedModel({ cell }: RunDescription): ModelDescription {
  return cell.attack?.surrogate ?? cell.model;
}

/** The run whose flips those of this one go on from: one with the next smaller budget, or the same without polish. Null if there is none. */
export function runBefore(run: RunDescription): RunDescription | null {
  const { attack } = run.cell;
  if (attack?.polish !== undefined) {
    const { polish: _, ...plain } = attack;
    return withAttack(run, plain);
  }
  const last = attack?.after?.at(-1);
  if (!attack || !last) return null;
  const { after = [], ...rest } = attack;
  const earlier = after.slice(0, -1);
  return withAttack(run, { ...rest, ...last, ...(earlier.length > 0 && { after: earlier }) });
}

function withAttack(run: RunDescription, attack: AttackDescription): RunDescription {
  return { ...run, cell: { ...run.cell, attack } };
}

/** The name of a perturbed graph: of the flips that an attack finds with a budget, whoever is evaluated on them. */
export function flipsId(run: RunDescription): string {
  const { attack } = run.cell;
  if (!attack) return contentId(null);
  if (attack.polish === undefined) return contentId(flipsJson(run, attack));
  const from = flipsId(runBefore(run)!);
  return contentId({ from, polish: attack.polish, model: usedModel(run, run.cell.model) });
}

/**
 * The name of the work that runs share: they have the same flips, or `sharesBudgets` says that the flips of a budget go on from those of
 * a smaller one, or begin with them. It is done in one place, so that no attack runs twice.
 */
export function workId(run: RunDescription, sharesBudgets: boolean): string {
  const { attack, model, nodes, certificate } = run.cell;
  if (certificate) return contentId([modelId(run), asJson(certificate)]);
  if (attack === null) return modelId(run);
  if (attack.influence !== undefined)
    return contentId([flipsJson(run, attack), usedModel(run, model), asJson({ nodes })]);
  const { after: _, polish: __, ...plain } = attack;
  return contentId(flipsJson(run, sharesBudgets ? { ...plain, budget: 0 } : attack));
}

function flipsJson(run: RunDescription, attack: AttackDescription): Json {
  const { name, options, objective, epsilon, budget, after, helper, constraints, influence } = attack;
  return asJson({
    model: usedModel(run, attackedModel(run)),
    name,
    options,
    objective,
    budget,
    code: run.cell.code.attack,
    ...(after && { after: after.map((before) => before.budget) }),
    ...(helper && { helper: usedModel(run, helper) }),
    ...(constraints && { constraints }),
    ...(influence !== undefined && { influence, epsilon }),
  });
}

/** A trained model as it is used: its weights, and the hyperparameters where they are others than those it learned with. */
function usedModel(run: RunDescription, model: ModelDescription): Json {
  const id = modelId(run, model);
  return model.trainedWith ? [id, model.hyperparameters] : id;
}

/** Descriptions are JSON; their types are interfaces, which TypeScript does not take for it. */
function asJson(description: object): Json {
  return description as unknown as Json;
}
