import { breathe } from "../../core/breathe.ts";
import {
  checkOptions,
  defaultsOf,
  describeOptions,
  type OptionsOf,
  realNumber,
  wholeNumber,
  withDefaults,
} from "../../core/options/index.ts";
import type { Progress } from "../../core/progress.ts";
import type { Rng } from "../../core/rng.ts";
import { add, affine, Constants, scope, type Tensor, valueAndGrad } from "../../tensor/index.ts";
import type { Pprgo } from "../models/pprgo.ts";
import { rowCrossEntropy } from "./cross-entropy.ts";
import type { RowsToLearn } from "./labelled-rows.ts";
import { type LabelledBatch, RowBatches } from "./row-batches.ts";
import { type Epoch, epochOptions, type History, type LaunchedLosses, runEpochs, type Watch } from "./train.ts";

export const pprgoTrainOptions = describeOptions({
  ...withDefaults(epochOptions, { learningRate: 1e-3 }),
  batchSize: wholeNumber({ from: 1, default: 512, help: "training nodes per step" }),
  valBatches: realNumber({
    above: 0,
    default: 4,
    help: "validation nodes after each step, as a multiple of the batch size",
  }),
});

/** Hyperparameters of {@link trainOnRows}; `rgnn train --model pprgo --set list` explains each. */
export type PprgoTrainConfig = OptionsOf<typeof pprgoTrainOptions>;

/** Defaults of {@link PprgoTrainConfig}. */
export const pprgoTrainDefaults: PprgoTrainConfig = defaultsOf(pprgoTrainOptions);

/** Milliseconds after which an epoch of many steps pauses to let Ctrl-C through. */
const BREATHES = 100;
/** Milliseconds after which such an epoch reports its progress. */
const TELLS = 2000;

/**
 * Trains `model` in place on mini-batches of rows of PageRank, which may lie on a disk, and leaves it with the weights of the best
 * epoch.
 *
 * An epoch visits the training nodes in random order; after each step a random validation batch is evaluated without
 * dropout. The mean loss of these batches decides when to stop.
 */
export async function trainOnRows(
  model: Pprgo,
  { train, val, features }: RowsToLearn,
  rng: Rng,
  config: PprgoTrainConfig,
  watch: Watch = {},
): Promise<History> {
  const { batchSize, valBatches, maxEpochs } = config;
  checkOptions("training", pprgoTrainOptions, config);
  const { backend } = model;
  const per = model.encodesPairs ? "pair" : "node";
  const training = new RowBatches(backend, { rows: train, features, per, size: batchSize });
  const valSize = Math.ceil(batchSize * valBatches);
  const validation = new RowBatches(backend, { rows: val, features, per: "node", size: valSize });
  const parameters = [...model.parameters.values()];
  const constants = new Constants();
  const loss = ({ rows, labels }: LabelledBatch, dropout: Rng | null) =>
    rowCrossEntropy(model.forwardRows(rows, { constants, dropout }), labels);

  const step = (positions: Int32Array, update: Parameters<Epoch>[0]): LaunchedLosses =>
    scope(() => {
      const { value, grads } = valueAndGrad(() => [loss(training.batch(positions), rng)], parameters);
      update(grads);
      return { trainLoss: value, valLoss: loss(validation.batch(validation.draw(rng)), null) };
    });
  const progress = watch.progress && neverBack(watch.progress);
  const epoch: Epoch = async (update, number) => {
    const losses: LaunchedLosses[] = [];
    let breathed = performance.now();
    let told = breathed;
    try {
      for (const positions of training.epoch(rng)) {
        losses.push(step(positions, update));
        if (performance.now() - breathed < BREATHES) continue;
        await breathe();
        breathed = performance.now();
        if (watch.signal?.aborted) break; // `runEpochs` sees the signal too and does not keep these weights
        if (breathed - told < TELLS) continue;
        told = breathed;
        const note = `epoch ${number}, step ${losses.length} of ${training.perEpoch}`;
        progress?.update(number + losses.length / training.perEpoch, maxEpochs, note);
      }
      return losses.length === 1 ? losses.pop()! : scope(() => meanLosses(losses));
    } finally {
      for (const { trainLoss, valLoss } of losses) for (const tensor of [trainLoss, valLoss]) tensor.dispose();
    }
  };
  try {
    return await runEpochs(model, epoch, config, { ...watch, ...(progress && { progress }) }, rng);
  } finally {
    training.dispose();
    validation.dispose();
  }
}

/** Progress that never goes backwards, although losses are reported one epoch late. */
function neverBack(progress: Progress): Progress {
  let most = 0;
  return {
    update(done, total, note) {
      most = Math.max(most, done);
      progress.update(most, total, note);
    },
  };
}

function meanLosses(losses: readonly LaunchedLosses[]): LaunchedLosses {
  return {
    trainLoss: meanOf(losses.map(({ trainLoss }) => trainLoss)),
    valLoss: meanOf(losses.map(({ valLoss }) => valLoss)),
  };
}

function meanOf(values: readonly Tensor[]): Tensor {
  const sum = values.reduce((sum, value) => add(sum, value));
  return affine(sum, 1 / values.length);
}
