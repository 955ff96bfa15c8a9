import type { Tensor } from "../tensor/index.ts";

/** Epochs before weights are sharpened, as a share of all. */
const BEFORE = 0.4;

/** What sharpening depends on. */
export interface SharpeningOptions {
  readonly epochs: number;
  /** Logarithm of the growth in all; 0 for none. */
  readonly sharpening: number;
}

/** Epochs before the first that sharpens. */
export function epochsBeforeSharpening({ epochs, sharpening }: SharpeningOptions): number {
  return sharpening > 0 ? Math.floor(BEFORE * epochs) : epochs;
}

/**
 * Growth of the weights in `epoch`, counted from 0: none at first, then linearly more. The sum over all epochs is about
 * `sharpening`.
 */
export function growthOf(options: SharpeningOptions, epoch: number): number {
  const before = epochsBeforeSharpening(options);
  if (epoch < before) return 0;
  const sharpeningEpochs = options.epochs - before;
  return ((2 * options.sharpening) / sharpeningEpochs) * ((epoch + 1 - before) / sharpeningEpochs);
}

/**
 * p ← p + growth · p, in place. With the projection that follows, the heavier of two candidates with the same gradient
 * gains what the lighter one loses. This is a step along the gradient of ‖p‖², in addition to that of the loss: it
 * drives weights to 0 and 1, while the loss still decides which. Candidates at the floor stay there.
 */
export function sharpen({ backend, buffer }: Tensor, growth: number, floor: number): void {
  if (growth === 0) return;
  // Weights at the floor fall below it, and the projection clips them back.
  backend.affine({ out: buffer, a: 1 + growth, A: buffer, c: -2 * growth * floor });
}
