import { breathe } from "../../core/breathe.ts";
import { check } from "../../core/errors.ts";
import { Lagged } from "../../core/lagged.ts";
import {
  checkOptions,
  defaultsOf,
  describeOptions,
  type OptionsOf,
  realNumber,
  wholeNumber,
} from "../../core/options/index.ts";
import { type Progress, silent } from "../../core/progress.ts";
import type { Rng } from "../../core/rng.ts";
import type { StopSignal } from "../../core/stop-signal.ts";
import { Constants, type GraphView, scope, type Tensor, valueAndGrad } from "../../tensor/index.ts";
import type { Model } from "../model.ts";
import { Adam } from "./adam.ts";
import { crossEntropy } from "./cross-entropy.ts";
import { EarlyStopping } from "./early-stopping.ts";
import { type NodeSet, nodeSet } from "./node-set.ts";
import { NoisyViews } from "./noisy-views.ts";
import { learningRateOption, maxEpochsOption, noiseOptions } from "./options.ts";
import { type Losses, Resumption } from "./resumption.ts";
import { Snapshot } from "./snapshot.ts";
import type { Checkpoints } from "./training-state.ts";

/** Options of every way to train in epochs. */
export const epochOptions = describeOptions({
  learningRate: learningRateOption,
  weightDecay: realNumber({ from: 0, default: 1e-3, help: "L2 decay of all weights, added to the gradient" }),
  patience: wholeNumber({
    from: 0,
    default: 300,
    help: "epochs without a better validation loss before training stops",
  }),
  maxEpochs: maxEpochsOption,
});

export const trainOptions = describeOptions({ ...epochOptions, ...noiseOptions });

/** Hyperparameters of {@link runEpochs}. */
export type EpochConfig = OptionsOf<typeof epochOptions>;

/** Hyperparameters of {@link train}; `rgnn train --model gcn --set list` explains each. */
export type TrainConfig = OptionsOf<typeof trainOptions>;

/** Defaults of {@link TrainConfig}. Replace some of them with `{ ...trainDefaults, … }`. */
export const trainDefaults: TrainConfig = defaultsOf(trainOptions);

/** The nodes that a model learns from, and those whose loss selects the best epoch. */
export interface TrainTask {
  readonly train: ArrayLike<number>;
  readonly val: ArrayLike<number>;
  readonly rng: Rng;
}

/** How to watch a run and to stop it. None of it changes the result of a run that is not stopped. */
export interface Watch {
  readonly progress?: Progress;
  /** Ends the run after the current epoch; the best state so far is kept. */
  readonly signal?: StopSignal;
  /** Where the run saves its state, to resume after a kill with the same result. Only training on rows uses it. */
  readonly checkpoints?: Checkpoints;
}

/** The losses of every epoch, and which epoch was the best. */
export interface History {
  readonly trainLoss: number[];
  readonly valLoss: number[];
  /** The epoch whose weights the model has now. */
  readonly bestEpoch: number;
  readonly interrupted: boolean;
}

/**
 * Trains `model` in place on the whole graph at once and leaves it with the weights of the best epoch.
 *
 * Each epoch makes one pass with dropout; training and validation loss come from the same logits, and the weights kept
 * for an epoch are those after its step. That is how the published numbers were made. With noise, each epoch sees the
 * edges and features of another noisy graph: a model to be smoothed is trained on graphs like those it will have to
 * classify.
 *
 * @example
 * const model = new Gcn(backend, { features: graph.numFeatures, classes: graph.numClasses }, gcnDefaults, new Rng(0));
 * const task = { train: split.train, val: split.val, rng: new Rng(1) };
 * const { bestEpoch } = await train(model, toDevice(backend, graph), task, { ...trainDefaults, maxEpochs: 100 });
 */
export async function train(
  model: Model,
  view: GraphView,
  task: TrainTask,
  config: TrainConfig,
  watch: Watch = {},
): Promise<History> {
  checkOptions("training", trainOptions, config);
  const trainSet = nodeSet(view, task.train);
  const valSet = nodeSet(view, task.val);
  const parameters = [...model.parameters.values()];
  const noisy = NoisyViews.for(view, config, task.rng);
  const changing = [...parameters, ...model.statistics.values()];
  const constants = new Constants({ graph: noisy ? null : view, changing });
  const losses = (seen: GraphView): readonly [Tensor, Tensor] => {
    const logits = model.forward(seen, { constants, dropout: task.rng });
    return [loss(logits, trainSet), loss(logits, valSet)];
  };
  const epoch: Epoch = (update, number) =>
    scope(() => {
      const seen = noisy?.view(number) ?? view;
      const step = constants.during(() => valueAndGrad(() => losses(seen), parameters));
      update(step.grads);
      return { trainLoss: step.value, valLoss: step.aux[0] };
    });
  try {
    return await runEpochs(model, epoch, config, watch);
  } finally {
    constants.dispose();
    trainSet.dispose();
    valSet.dispose();
  }
}

/**
 * Launches one epoch. It calls `update` with the gradients of each step, in the order of the parameters, and frees all
 * that it made except its losses. An epoch that has to wait, for example for an attack on the current model, returns a
 * promise.
 */
export type Epoch = (
  update: (gradients: readonly Tensor[]) => void,
  number: number,
) => LaunchedLosses | Promise<LaunchedLosses>;

/** Losses on the device, one element each, which have not been read back. */
export interface LaunchedLosses {
  readonly trainLoss: Tensor;
  readonly valLoss: Tensor;
}

/**
 * The loop around epochs: Adam, early stopping, the snapshot of the best epoch. The losses of an epoch are read while
 * the next one runs. If they end the training, that next epoch was in vain: its weights are never offered to the
 * snapshot. With checkpoints, `rng` must be the one that the epochs draw from.
 */
export async function runEpochs(
  model: Model,
  epoch: Epoch,
  config: EpochConfig,
  watch: Watch = {},
  rng: Rng | null = null,
): Promise<History> {
  const { progress = silent, signal } = watch;
  checkOptions("training", epochOptions, config);
  const adam = new Adam(model.parameters.values(), config);
  const stopping = new EarlyStopping(config.patience);
  const best = new Snapshot(model);
  const history = { trainLoss: [] as number[], valLoss: [] as number[] };
  const losses = new Lagged<Losses>();
  const isOver = (seen: Losses | null): boolean => {
    if (!seen) return false;
    const t = history.trainLoss.length;
    checkLoss(seen.trainLoss, t, config);
    history.trainLoss.push(seen.trainLoss);
    history.valLoss.push(seen.valLoss);
    if (!stopping.isBest(t, seen.valLoss) && stopping.isOver(t)) return true;
    progress.update(t, config.maxEpochs, `loss ${seen.trainLoss.toFixed(4)}, validation ${seen.valLoss.toFixed(4)}`);
    return false;
  };
  const checkpoints = rng && watch.checkpoints ? new Resumption(watch.checkpoints, rng, { model, adam, best }) : null;
  try {
    let ended = false;
    const before = checkpoints?.resume() ?? [];
    for (const seen of before) isOver(await losses.next(Promise.resolve(seen)));
    for (let t = before.length; t < config.maxEpochs && !ended && !signal?.aborted; t++) {
      const launched = await epoch((gradients) => adam.update(gradients), t);
      const reading = read(launched);
      try {
        ended = isOver(await losses.next(reading)) || (signal?.aborted ?? false);
        if (!ended) best.offer(launched.valLoss); // before the next epoch changes the weights
      } finally {
        for (const loss of [launched.trainLoss, launched.valLoss]) loss.dispose();
      }
      if (!ended) await checkpoints?.save(history, reading);
      if (t % 10 === 0) await breathe(); // lets Ctrl-C and timers through
    }
    const last = await losses.last();
    if (!ended) isOver(last);
    best.restore();
    progress.update(config.maxEpochs, config.maxEpochs, `best epoch ${stopping.bestEpoch}`);
    return { ...history, bestEpoch: stopping.bestEpoch, interrupted: signal?.aborted ?? false };
  } finally {
    adam.dispose();
    best.dispose();
  }
}

async function read({ trainLoss, valLoss }: LaunchedLosses): Promise<Losses> {
  const [train, val] = await Promise.all([trainLoss.item(), valLoss.item()]);
  return { trainLoss: train, valLoss: val };
}

function checkLoss(loss: number, epoch: number, { learningRate }: EpochConfig): void {
  check(
    Number.isFinite(loss),
    () =>
      `training: loss is ${loss} in epoch ${epoch}; lower the learning rate, as with --set learningRate=${learningRate / 10}`,
  );
}

function loss(logits: Tensor, { nodes, labels }: NodeSet): Tensor {
  return crossEntropy(logits, nodes, labels);
}
