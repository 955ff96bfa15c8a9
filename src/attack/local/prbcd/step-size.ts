/** How far each epoch goes along the gradient, and what happens after an epoch without progress. */
export interface StepSize {
  /** Called once an epoch is evaluated; `isBest` if it is closer to the goal than any before. */
  judge(epoch: number, isBest: boolean): Verdict;
  rate(epoch: number, gradient: Float64Array): number;
}

/** `go back` starts from the best epoch again. */
export type Verdict = "go on" | "go back" | "stop";

/** Where the published step size comes from. */
export interface PublishedStepOptions {
  readonly learningRateFactor: number;
  readonly budget: number;
  /** Nodes of the graph per candidate of the block; below 1 it counts as 1. */
  readonly nodesPerCandidate: number;
  readonly resamplingEpochs: number;
}

/**
 * The published rule: constant while blocks change; then it goes back to the best epoch and falls with the root of the
 * epochs.
 */
export function publishedStep(options: PublishedStepOptions): StepSize {
  const { learningRateFactor, budget, nodesPerCandidate, resamplingEpochs } = options;
  const base = budget * learningRateFactor * Math.max(Math.sqrt(nodesPerCandidate), 1);
  return {
    judge: (epoch) => (epoch === resamplingEpochs ? "go back" : "go on"),
    rate: (epoch) => base / Math.sqrt(Math.max(0, epoch - resamplingEpochs) + 1),
  };
}

/** Epochs without progress after which the step is halved. */
const PATIENCE = 2;
/** The smallest step, as a share of the first. */
const SMALLEST = 1 / 32;

/**
 * A step that does not depend on the scale of the gradient: at first the steepest candidate moves by `first`. Once
 * blocks no longer change, two epochs without progress halve it and start from the best epoch again; when it is small,
 * the search ends.
 */
export function adaptingStep(first: number, resamplingEpochs: number): StepSize {
  let size = first;
  let failures = 0;
  return {
    judge(epoch, isBest) {
      if (epoch <= resamplingEpochs) return epoch === resamplingEpochs ? "go back" : "go on";
      failures = isBest ? 0 : failures + 1;
      if (failures < PATIENCE) return "go on";
      failures = 0;
      size /= 2;
      return size < first * SMALLEST ? "stop" : "go back";
    },
    rate(_epoch, gradient) {
      let steepest = 0;
      for (const slope of gradient) steepest = Math.max(steepest, Math.abs(slope));
      return steepest > 0 ? size / steepest : 0;
    },
  };
}
