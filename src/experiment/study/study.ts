import type { Influence } from "../../attack/local/local-task.ts";
import type { Json } from "../../core/options/index.ts";
import type { CertificateDescription, ConstraintDescription, Quantity } from "./run-description.ts";

/** What is measured under one name. */
export interface Study {
  readonly name: string;
  readonly parts: readonly StudyPart[];
}

/** Measures every combination of what is listed here. */
export interface StudyPart {
  readonly datasets: readonly DatasetChoice[];
  /** The victims. */
  readonly models: readonly NamedOptions[];
  readonly seeds: readonly number[];
  /** Attacks on the whole graph or on single nodes. Default: none, which measures models on the clean graph. */
  readonly attacks?: readonly NamedOptions[];
  readonly budgets?: readonly BudgetWish[];
  /** As `--split` takes them; null, the default: the published one. */
  readonly splits?: readonly (string | null)[];
  /**
   * The model on which flips are found and then transferred. Default (null): each victim itself, or the model that an
   * attack brings along.
   */
  readonly surrogate?: NamedOptions | null;
  /** A model whose flips may help attacks that take such help, as `auto` does. Default: none. */
  readonly helper?: NamedOptions | null;
  /** Default: accuracy. */
  readonly objectives?: readonly string[];
  /** Default: evasion. */
  readonly times?: readonly ("evasion" | "poisoning")[];
  /** Default: cpu. */
  readonly devices?: readonly string[];
  /** The device on which all models learn. Default: the one they are attacked on. */
  readonly trainedOn?: string;
  /**
   * Whether each budget continues from the flips of the next smaller one. Default: as the attack does by itself (`auto`
   * does).
   */
  readonly chain?: boolean;
  /** Which flips attacks on the whole graph may make. Default: all. */
  readonly constraints?: readonly (ConstraintDescription | null)[];
  /** Which edges attacks on single nodes may flip. Default: those of the node. */
  readonly influences?: readonly Influence[];
  /** Further budgets that chains go through, and for which single nodes are drawn, without being measured. Default: none. */
  readonly passes?: readonly BudgetWish[];
  /** Rounds of polish on the victim after an attack. Default: none. */
  readonly polish?: number;
  /** What is measured. Default: the success rate of attacks on single nodes, accuracy otherwise. */
  readonly quantity?: Quantity;
  /** Certificates by randomised smoothing, of every model. Default: none. */
  readonly certificates?: readonly CertificateDescription[];
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
  /** Of a model: options that it was trained with, if they differ from `options`. */
  readonly trainedWith?: Readonly<Record<string, Json>>;
}

/** A share of the edges (of those of a node, for attacks on single nodes), or a number of flips. */
export type BudgetWish = { readonly epsilon: number } | { readonly budget: number };
