import { breathe } from "../../../core/breathe.ts";
import { Lagged } from "../../../core/lagged.ts";
import { checkOptions } from "../../../core/options/index.ts";
import { silent } from "../../../core/progress.ts";
import { Constants, type GraphView, scope, type Tensor, type Values, valueAndGrad } from "../../../tensor/index.ts";
import type { Gcn } from "../../models/gcn.ts";
import { Adam } from "../adam.ts";
import { type History, type TrainConfig, type TrainTask, trainOptions, type Watch } from "../train.ts";
import { BestWeights } from "./best-weights.ts";
import { checkStackable } from "./check-stackable.ts";
import { Course } from "./course.ts";
import { DropoutKeys } from "./dropout-keys.ts";
import { StackedGcn } from "./stacked-gcn.ts";
import { StackedLosses } from "./stacked-losses.ts";

/**
 * Trains several GCNs at once, in place: each on its own training and validation nodes, with its own initial weights and random
 * numbers. Every model ends with the weights, losses and best epoch that `train` would have given it alone, up to rounding.
 *
 * The models must have the same hyperparameters. Their columns stand side by side in every matrix, so that an epoch of all of them
 * takes as many kernels as an epoch of one: on a GPU, where launching kernels is most of the time on small graphs, many models train in
 * little more than the time of one. A model whose training is over runs along until the last one is.
 *
 * @example
 * const models = seeds.map((seed) => new Gcn(backend, sizes, gcnDefaults, new Rng(seed)));
 * const tasks = seeds.map((seed) => ({ train: splits[seed].train, val: splits[seed].val, rng: new Rng(seed, 1) }));
 * const histories = await trainSideBySide(models, view, tasks, trainDefaults);
 */
export async function trainSideBySide(
  models: readonly Gcn[],
  view: GraphView,
  tasks: readonly TrainTask[],
  config: TrainConfig,
  watch: Watch = {},
): Promise<History[]> {
  checkOptions("training", trainOptions, config);
  const { edgeNoiseAdd, edgeNoiseDelete, featureNoiseAdd, featureNoiseDelete } = config;
  checkStackable(models, tasks, { edgeNoiseAdd, edgeNoiseDelete, featureNoiseAdd, featureNoiseDelete });
  const classes = models[0].parameters.get(`convs.${hiddenLayers(models[0])}.weight`)!.shape[1];
  const losses = new StackedLosses(view, tasks, classes);
  const stack = await StackedGcn.of(models);
  const parameters = stack.parameters.map(({ tensor }) => tensor);
  const keys = new DropoutKeys(
    view.backend,
    tasks.map(({ rng }) => rng),
  );
  const constants = new Constants({ graph: view, changing: parameters });
  const adam = new Adam(parameters, config);
  const best = new BestWeights(stack);
  const epoch = (): Tensor =>
    scope(() => {
      const step = constants.during(() =>
        valueAndGrad(() => {
          const { total, each } = losses.of(stack.forward(view, constants, keys));
          return [total, each] as const;
        }, parameters),
      );
      adam.update(step.grads);
      return step.aux[0];
    });
  try {
    const histories = await runEpochs(epoch, best, tasks.length, config, watch);
    await stack.handOut(best.saved, models);
    return histories;
  } finally {
    for (const item of [losses, stack, keys, constants, adam, best]) item.dispose();
  }
}

function hiddenLayers({ config }: Gcn): number {
  return (config["hidden"] as readonly number[]).length;
}

/** Epochs until the training of every model is over. Losses are read while the next epoch is on its way, as for one model. */
async function runEpochs(
  epoch: () => Tensor,
  best: BestWeights,
  models: number,
  config: TrainConfig,
  { progress = silent, signal }: Watch,
): Promise<History[]> {
  const courses = Array.from({ length: models }, (_, g) => new Course(g, config));
  const numLearning = () => courses.filter(({ isOver }) => !isOver).length;
  const see = (losses: Values | null, t: number) => {
    if (!losses) return;
    const before = numLearning();
    for (const [g, course] of courses.entries()) course.see(losses[models + g], losses[g]);
    const learning = numLearning();
    if (learning < before) best.onlyFor(courses.map(({ isOver }) => !isOver));
    progress.update(t, config.maxEpochs, `${learning} of ${models} models still learn`);
  };
  const read = new Lagged<Values>();
  let ended = false;
  for (let t = 0; t < config.maxEpochs && !ended && !signal?.aborted; t++) {
    const losses = epoch();
    try {
      see(await read.next(losses.read()), t - 1);
      ended = numLearning() === 0 || (signal?.aborted ?? false);
      if (!ended) best.offer(losses); // before the next epoch changes the weights
    } finally {
      losses.dispose();
    }
    if (t % 10 === 0) await breathe(); // lets Ctrl-C and timers through
  }
  const last = await read.last();
  if (!ended) see(last, config.maxEpochs - 1);
  progress.update(config.maxEpochs, config.maxEpochs, "");
  return courses.map((course) => course.history(signal?.aborted ?? false));
}
