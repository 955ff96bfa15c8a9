import type { Influence } from "../../attack/local/local-task.ts";
import type { Hyperparameters } from "../../nn/models/model-kind.ts";
import type { Quantity } from "./quantities.ts";

/** One attack on one dataset and seed at one budget, and what is measured on which model with what it found. */
export interface Measurement {
  readonly dataset: string;
  readonly seed: number;
  /** The model whose gradients are used; null for clean accuracies. */
  readonly surrogate: string | null;
  readonly attack: string | null;
  readonly loss: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  readonly epsilon: number;
  /** Smaller budgets that the attack goes through on its way, each with steps of its own. */
  readonly after?: readonly number[];
  readonly victim: string;
  /** Hyperparameters of the victim where they differ from its preset. */
  readonly set?: Hyperparameters;
  /** An attack on single nodes: the value is the share of them for which it succeeds. */
  readonly local?: LocalSetting;
  /** Rounds by which the flips are polished on the victim before it is evaluated. */
  readonly polish?: number;
  /** Accuracy where nothing is said. */
  readonly quantity?: Quantity;
}

/** How single nodes are attacked, and when the victim is trained: before, or on each perturbed graph. */
export interface LocalSetting {
  readonly time: "evasion" | "poisoning";
  readonly influence: Influence;
}

export interface MeasuredValue {
  readonly value: number;
  readonly seconds: number;
  /** Accuracy of the victim on the clean graph: tells whether values from several machines are about the same weights. */
  readonly clean?: number;
  /** `cpu` or `webgpu`. */
  readonly device?: string;
}

/** The same text for the same measurement, whatever the order in which its fields were written. */
export function measurementKey(m: Measurement): string {
  const plain = [m.dataset, m.seed, m.surrogate, m.attack, m.loss, sorted(m.options), m.epsilon, m.victim];
  const { after, set, polish, quantity, local } = m;
  const attacked = local && { local: sorted({ ...local }) };
  const more = [
    after && { after },
    set && { set: sorted(set) },
    polish && { polish },
    quantity && { quantity },
    attacked,
  ];
  return JSON.stringify([...plain, ...more.filter(Boolean)]);
}

/** The text by which a model is known: models with the same hyperparameters are trained once. */
export function victimKey(name: string, set: Hyperparameters = {}): string {
  return JSON.stringify([name, sorted(set)]);
}

function sorted(options: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
}
