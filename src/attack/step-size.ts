import type { GraphView } from "../tensor/index.ts";
import type { AttackTask } from "./attack.ts";
import type { Candidates } from "./constraints/candidates.ts";

/** How far PR-BCD goes along the gradient in each epoch; epochs count from 0. */
export interface StepSize {
  rate(epoch: number): number;
  /** λ, by which the projection has lowered all weights in an epoch. It comes while the next epoch is computed: nobody waits for it. */
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

/** λ times the root of the number of epochs: at first, and at the end of the adapting epochs. */
const FIRST_SHIFT = 0.9;
const LAST_SHIFT = 0.3;
/** By how much a rate changes from one epoch to the next at most. It falls faster than it rises, as too large a step undoes progress. */
const MOST_RISE = 2;
const MOST_FALL = 1 / 16;
/** Where no step is large enough to spend the budget, as with a gradient of zeros, the rate ends at so many times the first. */
const LARGEST_RATE = 2 ** 20;

/**
 * Keeps λ at a wanted size. λ is what a candidate loses in each epoch: one that the gradient no longer supports is out
 * after 1/λ epochs, and one at the edge of being used has λ = rate · gradient. So it measures a step by what it does to the weights, whatever the scale
 * of the loss, the budget, the graph and the model. The wanted λ falls geometrically; after `adaptingEpochs` the rate stays.
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
    // The root, as λ follows a rate with a delay: a full correction would swing.
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
