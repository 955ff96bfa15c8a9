import { breathe } from "../core/breathe.ts";
import { Lagged } from "../core/lagged.ts";
import { checkOptions, defaultsOf, describeOptions, type OptionsOf, realNumber } from "../core/options/index.ts";
import { silent } from "../core/progress.ts";
import { Adam } from "../nn/training/adam.ts";
import { crossEntropy } from "../nn/training/cross-entropy.ts";
import { nodeSet, numCorrect } from "../nn/training/node-set.ts";
import { learningRateOption, maxEpochsOption } from "../nn/training/options.ts";
import { Snapshot } from "../nn/training/snapshot.ts";
import type { History, TrainTask, Watch } from "../nn/training/train.ts";
import {
  add,
  affine,
  Constants,
  type GraphView,
  log,
  scope,
  square,
  sub,
  sum,
  sumSquares,
  type Tensor,
  valueAndGrad,
} from "../tensor/index.ts";
import type { Gaussians, Rgcn } from "./rgcn.ts";

export const rgcnTrainOptions = describeOptions({
  learningRate: learningRateOption,
  maxEpochs: maxEpochsOption,
  klWeight: realNumber({
    from: 0,
    default: 5e-4,
    help: "weight of the distance to the standard normal distribution, β₁",
  }),
  decay: realNumber({ from: 0, default: 5e-4, help: "weight of the squared weights of the first layer, β₂" }),
});

/** Hyperparameters of {@link trainRgcn}; `rgnn train --model rgcn --set list` explains each. */
export type RgcnTrainConfig = OptionsOf<typeof rgcnTrainOptions>;

/** Defaults of {@link RgcnTrainConfig}. */
export const rgcnTrainDefaults: RgcnTrainConfig = defaultsOf(rgcnTrainOptions);

/**
 * Trains `model` in place for exactly `maxEpochs` steps, without early stopping, and leaves it with the weights of the step
 * after which the validation nodes were classified best; that is how the published numbers were made.
 */
export async function trainRgcn(
  model: Rgcn,
  view: GraphView,
  task: TrainTask,
  config: RgcnTrainConfig,
  { progress = silent, signal }: Watch = {},
): Promise<History> {
  checkOptions("training", rgcnTrainOptions, config);
  const trainSet = nodeSet(view, task.train);
  const valSet = nodeSet(view, task.val);
  const parameters = [...model.parameters.values()];
  const constants = new Constants({ graph: view, changing: parameters });
  const adam = new Adam(parameters, { learningRate: config.learningRate, weightDecay: 0 });
  const best = new Snapshot(model);
  const seen: Seen[] = [];
  const lagged = new Lagged<Seen>();
  const note = (epoch: Seen | null) => {
    if (epoch) seen.push(epoch);
  };
  try {
    for (let t = 0; t < config.maxEpochs && !signal?.aborted; t++) {
      const launched = scope(() => {
        const { value, grads } = valueAndGrad(() => {
          const { logits, first } = model.sample(view, { constants, dropout: task.rng });
          const fit = crossEntropy(logits, trainSet.nodes, trainSet.labels);
          return [add(fit, penalty(model, first, config))];
        }, parameters);
        adam.update(grads);
        const logits = model.forward(view, { constants, dropout: null });
        const wrong = affine(numCorrect(logits, valSet), -1, valSet.size);
        return { trainLoss: value, valLoss: crossEntropy(logits, valSet.nodes, valSet.labels), wrong };
      });
      best.offer(launched.wrong);
      note(await lagged.next(read(launched)));
      if (t % 10 === 0) {
        progress.update(t, config.maxEpochs, `loss ${(seen.at(-1)?.trainLoss ?? Number.NaN).toFixed(4)}`);
        await breathe(); // lets Ctrl-C and timers through
      }
    }
    note(await lagged.last());
    best.restore();
    const trainLoss = seen.map((e) => e.trainLoss);
    const valLoss = seen.map((e) => e.valLoss);
    const wrong = seen.map((e) => e.wrong);
    const bestEpoch = Math.max(0, wrong.indexOf(Math.min(...wrong)));
    progress.update(config.maxEpochs, config.maxEpochs, `best epoch ${bestEpoch}`);
    return { trainLoss, valLoss, bestEpoch, interrupted: signal?.aborted ?? false };
  } finally {
    for (const item of [constants, trainSet, valSet, adam, best]) item.dispose();
  }
}

/** The results of an epoch; `wrong` is the number of misclassified validation nodes. */
interface Seen {
  readonly trainLoss: number;
  readonly valLoss: number;
  readonly wrong: number;
}

async function read(launched: Record<keyof Seen, Tensor>): Promise<Seen> {
  const { trainLoss, valLoss, wrong } = launched;
  const values = [trainLoss.item(), valLoss.item(), wrong.item()] as const;
  for (const tensor of [trainLoss, valLoss, wrong]) tensor.dispose(); // the reads have been started
  const [train, val, count] = await Promise.all(values);
  return { trainLoss: train, valLoss: val, wrong: count };
}

/** β₁ Σ_i mean_c ½(μ² + σ − log(1e-8 + σ)) + β₂(‖W_μ‖² + ‖W_σ‖²). */
function penalty(model: Rgcn, { mean, variance }: Gaussians, { klWeight, decay }: RgcnTrainConfig): Tensor {
  const terms = sub(add(square(mean), variance), log(affine(variance, 1, 1e-8)));
  const divergence = affine(sum(terms), (0.5 * klWeight) / mean.shape[1]);
  const means = sumSquares(model.firstWeights[0]);
  const variances = sumSquares(model.firstWeights[1]);
  return add(divergence, affine(add(means, variances), decay));
}
