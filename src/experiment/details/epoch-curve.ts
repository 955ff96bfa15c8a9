import type { TraceEntry } from "../../attack/attack.ts";
import type { History } from "../../nn/training/train.ts";
import { shortNumber } from "./short-number.ts";

/** Losses during the training of a model. */
export interface TrainingCurve {
  /** Epochs at which the losses are kept. */
  readonly epochs: readonly number[];
  readonly trainLoss: readonly number[];
  readonly valLoss: readonly number[];
  /** The epoch whose weights the model has. */
  readonly bestEpoch: number;
  readonly numEpochs: number;
  readonly seconds: number;
}

/** Loss and accuracy during an attack. */
export interface AttackCurve {
  readonly epochs: readonly number[];
  readonly loss: readonly number[];
  /** On the relaxed graph if the attack has one; null if the objective is not accuracy. */
  readonly accuracy: readonly (number | null)[];
}

/** Most points kept of a curve: a picture would not show more. */
const MOST_POINTS = 80;

export function trainingCurve({ trainLoss, valLoss, bestEpoch }: History, seconds: number): TrainingCurve {
  const epochs = spread(trainLoss.length, bestEpoch);
  return {
    epochs,
    trainLoss: epochs.map((t) => shortNumber(trainLoss[t])),
    valLoss: epochs.map((t) => shortNumber(valLoss[t])),
    bestEpoch,
    numEpochs: trainLoss.length,
    seconds: shortNumber(seconds),
  };
}

/** Null for an attack that has no epochs. */
export function attackCurve(trace: readonly TraceEntry[]): AttackCurve | null {
  if (trace.length === 0) return null;
  const epochs = spread(trace.length);
  return {
    epochs,
    loss: epochs.map((t) => shortNumber(trace[t].loss)),
    accuracy: epochs.map((t) => (trace[t].accuracy === null ? null : shortNumber(trace[t].accuracy))),
  };
}

/** Evenly spread numbers in 0 … `count` − 1, including the first, the last and `also`. */
function spread(count: number, also = 0): number[] {
  const step = Math.max(1, (count - 1) / (MOST_POINTS - 1));
  const even = Array.from({ length: Math.min(count, MOST_POINTS) }, (_, k) => Math.round(k * step));
  const all = new Set([...even, also].filter((t) => t >= 0 && t < count));
  return [...all].sort((a, b) => a - b);
}
