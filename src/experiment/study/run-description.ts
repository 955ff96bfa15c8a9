import type { Influence } from "../../attack/local/local-task.ts";
import type { Json } from "../../core/options/index.ts";
import type { Noise } from "../../graph/noise/noise.ts";
import { contentId } from "./canonical-json.ts";

/** A graph, how it is loaded, and a hash of what it must then hold. */
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
  /** Hyperparameters that it was trained with, if it is used with others. */
  readonly trainedWith?: Readonly<Record<string, Json>>;
}

/** How many flips are allowed. */
export interface BudgetDescription {
  /** The share that was asked for; null if a number of flips was asked for. */
  readonly epsilon: number | null;
  /**
   * Flips of all nodes together. For an attack on single nodes: flips of each node, or 0 if a share of the degree was
   * asked for.
   */
  readonly budget: number;
}

/** Which flips an attack may make. Nodes are sets by name: `train`, `val`, `test`. */
export interface ConstraintDescription {
  readonly only?: "additions" | "removals";
  readonly perNode?: number;
  readonly protectNodes?: string;
  readonly between?: readonly [string, string];
}

/** An attack with the options that were given; the others have the defaults of the code. */
export interface AttackDescription extends BudgetDescription {
  readonly name: string;
  readonly options: Readonly<Record<string, Json>>;
  /** Null if the attack has none. */
  readonly loss: string | null;
  readonly objective: string;
  /** The model on which flips are found and then transferred; null: the victim itself. */
  readonly surrogate: ModelDescription | null;
  /** A model whose flips may help an attack on the victim itself, if the attack takes such help. */
  readonly helper?: ModelDescription;
  /**
   * Smaller budgets that are attacked first: each continues from the flips of the one before it, and this one from the
   * last.
   */
  readonly after?: readonly BudgetDescription[];
  /** Rounds by which the flips are polished on the victim before it is evaluated. */
  readonly polish?: number;
  readonly constraints?: ConstraintDescription;
  /** Only for attacks on single nodes: which edges they may flip. */
  readonly influence?: Influence;
}

/**
 * Nodes to attack one by one, drawn as in the published experiments: for one budget after the other, ending with that
 * of the attack. All draws use one generator, so they depend on the budgets before.
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
  /** Seed of the noisy graphs. */
  readonly noiseSeed: number;
  /** Noisy graphs whose votes bound how often a class is chosen; `preSamples` others first choose the class. */
  readonly samples: number;
  readonly preSamples: number;
  /** Highest probability that a certificate is wrong. */
  readonly alpha: number;
}

/** What is measured, seed and split aside: the runs of a cell are repetitions of the same experiment. */
export interface CellDescription {
  readonly graph: GraphDescription;
  /** As `--split` takes it; null: the published one. */
  readonly split: string | null;
  /** The victim. */
  readonly model: ModelDescription;
  /** Null: nothing is attacked, and the model is measured on the clean graph. */
  readonly attack: AttackDescription | null;
  /** Whether the victim learned from the clean or from the perturbed graph. */
  readonly time: "evasion" | "poisoning";
  /** Which nodes are attacked and measured. */
  readonly nodes: "test" | DrawnNodes;
  readonly quantity: Quantity;
  /** Present only if certificates are measured. */
  readonly certificate?: CertificateDescription;
  /** `cpu` or `webgpu`: they round differently. The number of threads does not change results (rule R1). */
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

/** The name of a trained model's weights: the same if they are used with other hyperparameters. */
export function modelId({ cell, seed, splitHash }: RunDescription, used = cell.model): string {
  const { graph, trainedOn: device = cell.device, code } = cell;
  const model = { name: used.name, hyperparameters: used.trainedWith ?? used.hyperparameters };
  return contentId(asJson({ graph: graph.sha256, splitHash, seed, model, device, code: code.training }));
}

/** The model on which the flips of a run are found. */
export function attackedModel({ cell }: RunDescription): ModelDescription {
  return cell.attack?.surrogate ?? cell.model;
}

/**
 * The run from whose flips this one continues: one with the next smaller budget, or the same without polish. Null if
 * there is none.
 */
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

/** The name of the flips of a run: runs that evaluate different models on the same flips have the same name. */
export function flipsId(run: RunDescription): string {
  const { attack } = run.cell;
  if (!attack) return contentId(null);
  if (attack.polish === undefined) return contentId(flipsJson(run, attack));
  const from = flipsId(runBefore(run)!);
  return contentId({ from, polish: attack.polish, model: usedModel(run, run.cell.model) });
}

/**
 * The name of the work that runs share: they have the same flips, or (with `sharesBudgets`) the flips of a budget
 * continue from those of a smaller one or begin with them. One process does the whole work, so that no attack runs
 * twice.
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

/** A trained model as it is used: its weights, and its hyperparameters if it was trained with others. */
function usedModel(run: RunDescription, model: ModelDescription): Json {
  const id = modelId(run, model);
  return model.trainedWith ? [id, model.hyperparameters] : id;
}

/** Descriptions are JSON, but TypeScript does not accept interfaces as `Json`. */
function asJson(description: object): Json {
  return description as unknown as Json;
}
