/** One attack on one dataset and seed at several budgets, and the models that are evaluated on what it found. */
export interface Measurement {
  readonly dataset: string;
  readonly seed: number;
  /** The model whose gradients are used; null for clean accuracies. */
  readonly surrogate: string | null;
  readonly attack: string | null;
  readonly loss: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  readonly epsilon: number;
  readonly victim: string;
}

export interface MeasuredValue {
  readonly accuracy: number;
  readonly seconds: number;
}

/** The same text for the same measurement, whatever the order in which its fields were written. */
export function measurementKey(m: Measurement): string {
  const options = Object.entries(m.options).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([m.dataset, m.seed, m.surrogate, m.attack, m.loss, options, m.epsilon, m.victim]);
}
