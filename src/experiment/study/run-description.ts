import type { Json } from "../../core/options/index.ts";
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
}

/** An attack with the options that were given; the others are those of the code. */
export interface AttackDescription {
  readonly name: string;
  readonly options: Readonly<Record<string, Json>>;
  /** Null if the attack has none. */
  readonly loss: string | null;
  readonly objective: string;
  /** As it was asked for; null where the budget was. */
  readonly epsilon: number | null;
  /** Flips that are allowed. */
  readonly budget: number;
  /** The model on which flips are found and then transferred; null: the victim itself. */
  readonly surrogate: ModelDescription | null;
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
  readonly nodes: "test";
  /** `cpu` or `webgpu`: they round differently. Numbers of threads are no part of it (rule R1). */
  readonly device: string;
  /** The code that can change the result; see `codeHash`. */
  readonly code: { readonly training: string; readonly attack: string };
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

/** The name of a trained model. Runs share it, whatever they do with it afterwards. */
export function modelId({ cell, seed, splitHash }: RunDescription, model = cell.model): string {
  const { graph, device, code } = cell;
  return contentId(asJson({ graph: graph.sha256, splitHash, seed, model, device, code: code.training }));
}

/** The model on which the flips of a run are found. */
export function attackedModel({ cell }: RunDescription): ModelDescription {
  return cell.attack?.surrogate ?? cell.model;
}

/** The name of a perturbed graph: of the flips that an attack finds with a budget, whoever is evaluated on them. */
export function flipsId(run: RunDescription): string {
  return contentId(flipsJson(run, run.cell.attack?.budget ?? 0));
}

/**
 * The name of the work that runs share: they have the same flips, or those of a larger budget begin with those of a smaller one. It is
 * done in one place, so that no attack runs twice.
 */
export function workId(run: RunDescription, isIncremental: boolean): string {
  if (run.cell.attack === null) return modelId(run);
  return isIncremental ? contentId(flipsJson(run, null)) : flipsId(run);
}

function flipsJson(run: RunDescription, budget: number | null): Json {
  const { attack, code } = run.cell;
  const { name, options, objective } = attack!;
  return asJson({ model: modelId(run, attackedModel(run)), name, options, objective, budget, code: code.attack });
}

/** Descriptions are JSON; their types are interfaces, which TypeScript does not take for it. */
function asJson(description: object): Json {
  return description as unknown as Json;
}
