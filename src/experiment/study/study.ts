import type { Json } from "../../core/options/index.ts";

/** What is measured under one name. */
export interface Study {
  readonly name: string;
  readonly parts: readonly StudyPart[];
}

/** Every combination of what is listed here. */
export interface StudyPart {
  readonly datasets: readonly DatasetChoice[];
  /** As `--split` takes them; null: the published one. */
  readonly splits: readonly (string | null)[];
  /** The victims. */
  readonly models: readonly NamedOptions[];
  /** On which flips are found and then transferred; null: on each victim itself. */
  readonly surrogate: NamedOptions | null;
  /** None: the accuracy on the clean graph is all that is measured. */
  readonly attacks: readonly NamedOptions[];
  readonly budgets: readonly BudgetWish[];
  readonly objectives: readonly string[];
  readonly times: readonly ("evasion" | "poisoning")[];
  readonly seeds: readonly number[];
  readonly devices: readonly string[];
}

/** A graph and how it is loaded. */
export interface DatasetChoice {
  readonly dataset: string;
  readonly directed?: boolean;
  readonly allComponents?: boolean;
  readonly ignoreWeights?: boolean;
  readonly binaryFeatures?: boolean;
  readonly adjacency?: string;
}

/** A model or an attack with options that differ from its defaults. */
export interface NamedOptions {
  readonly name: string;
  readonly options: Readonly<Record<string, Json>>;
}

/** A share of the edges, or a number of flips. */
export type BudgetWish = { readonly epsilon: number } | { readonly budget: number };
