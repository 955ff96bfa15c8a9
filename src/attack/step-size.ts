import type { GraphView } from "../tensor/index.ts";
import type { AttackTask } from "./attack.ts";
import type { Candidates } from "./constraints/candidates.ts";

/** How far PR-BCD goes along the gradient in each epoch; epochs count from 0. */
export interface StepSize {
  rate(epoch: number): number;
  /**
   * Reports λ, by which the projection lowered all weights in an epoch. It arrives while the next epoch is computed, so
   * that nothing waits for it.
   */
  observe(shift: number): void;
}

/** What a step size depends on. */
export interface StepOptions {
  readonly step: "adaptive" | "published";
  readonly learningRateFactor: number;
  readonly epochs: number;
  readonly fineTuneEpochs: number;
}

/** The published rule: constant while blocks change, then falling with the root of the fine-tuning epochs. */
export class PublishedStep implements StepSize {
  private readonly base: number;
  private readonly resamplingEpochs: number;

  constructor(base: number, { epochs, fineTuneEpochs }: Pick<StepOptions, "epochs" | "fineTuneEpochs">) {
    this.base = base;
    this.resamplingEpochs = epochs - fineTuneEpochs;
  }

  rate(epoch: number): number {
    return this.base / Math.sqrt(Math.max(0, epoch - this.resamplingEpochs) + 1);
  }

  observe(): void {}
}

/** The wanted λ, times the root of the number of epochs: at first, and at the end of the adapting epochs. */
const FIRST_SHIFT = 0.9;
const LAST_SHIFT = 0.3;
/**
 * The largest factors by which a rate may change from one epoch to the next. It may fall faster than rise, because too
 * large a step undoes progress.
 */
const MOST_RISE = 2;
const MOST_FALL = 1 / 16;
/**
 * The largest rate, as a multiple of the first. It ends the rise where no step spends the budget, as with a gradient of
 * zeros.
 */
const LARGEST_RATE = 2 ** 20;

/**
 * Adapts the rate so that λ keeps a wanted size. λ is what each candidate loses per epoch: one that the gradient no
 * longer supports is out after 1/λ epochs, and one that just stays in use has rate · gradient = λ. So λ measures what a
 * step does to the weights, independent of the scale of the loss, the budget, the graph and the model. The wanted λ
 * falls geometrically; after `adaptingEpochs` the rate stays as it is.
 */
export class AdaptiveStep implements StepSize {
  private readonly largest: number;
  private readonly epochs: number;
  private readonly adaptingEpochs: number;
  private current: number;
  private epoch = 0;

  constructor(first: number, epochs: number, adaptingEpochs: number) {
    this.largest = first * LARGEST_RATE;
    this.epochs = epochs;
    this.adaptingEpochs = adaptingEpochs;
    this.current = first;
  }

  rate(epoch: number): number {
    this.epoch = epoch;
    return this.current;
  }

  observe(shift: number): void {
    if (this.epoch >= this.adaptingEpochs) return;
    // The square root, because λ follows the rate with a delay: a full correction would oscillate.
    const change = shift > 0 ? Math.sqrt(this.wantedShift() / shift) : MOST_RISE;
    this.current = Math.min(this.largest, this.current * Math.min(MOST_RISE, Math.max(MOST_FALL, change)));
  }

  private wantedShift(): number {
    const progress = (this.epoch + 1) / this.adaptingEpochs;
    return (FIRST_SHIFT * (LAST_SHIFT / FIRST_SHIFT) ** progress) / Math.sqrt(this.epochs);
  }
}

/** The step of the first epoch: the published scaling by budget, graph and block. */
export function firstRate(
  learningRateFactor: number,
  { blockSize, outOf }: Pick<Candidates, "blockSize" | "outOf">,
  { budget }: Pick<AttackTask, "budget">,
  { numNodes }: Pick<GraphView, "numNodes">,
): number {
  const base = learningRateFactor * Math.max(Math.log2(outOf / blockSize), 1);
  return (budget / (2 * numNodes)) * base;
}
