import { silent } from "../core/progress.ts";
import { Adam } from "../nn/adam.ts";
import { crossEntropy } from "../nn/cross-entropy.ts";
import { ForwardCache } from "../nn/forward-cache.ts";
import { accuracy, nodeSet } from "../nn/node-set.ts";
import { Snapshot } from "../nn/snapshot.ts";
import type { History, TrainTask, Watch } from "../nn/train.ts";
import {
  add,
  affine,
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

export interface RgcnTrainConfig {
  readonly learningRate: number;
  readonly maxEpochs: number;
  /** β₁: weight of the distance to the standard normal distribution. */
  readonly klWeight: number;
  /** β₂: weight of the squared weights of the first layer. */
  readonly decay: number;
}

export const rgcnTrainDefaults: RgcnTrainConfig = { learningRate: 0.01, maxEpochs: 3000, klWeight: 5e-4, decay: 5e-4 };

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
  const [trainSet, valSet] = [task.train, task.val].map((nodes) => nodeSet(view.backend, view.graph, nodes));
  const cache = new ForwardCache("edges");
  const parameters = [...model.parameters.values()];
  const adam = new Adam(parameters, { learningRate: config.learningRate, weightDecay: 0 });
  const best = { snapshot: new Snapshot(model), epoch: 0, accuracy: -1 };
  const history = { trainLoss: [] as number[], valLoss: [] as number[] };
  try {
    for (let t = 0; t < config.maxEpochs && !signal?.aborted; t++) {
      const { trainLoss, logits, valLoss } = scope(() => {
        const { value, grads } = valueAndGrad(() => {
          const { logits, first } = model.sample(view, { cache, dropout: task.rng });
          const fit = crossEntropy(logits, trainSet!.nodes, trainSet!.labels);
          return [add(fit, penalty(model, first, config))];
        }, parameters);
        adam.update(grads);
        const logits = model.forward(view, { cache, dropout: null });
        return { trainLoss: value, logits, valLoss: crossEntropy(logits, valSet!.nodes, valSet!.labels) };
      });
      history.trainLoss.push(await trainLoss.item());
      history.valLoss.push(await valLoss.item());
      const correct = await accuracy(logits, valSet!);
      for (const result of [trainLoss, valLoss, logits]) result.dispose();
      if (correct > best.accuracy) {
        best.snapshot.take();
        Object.assign(best, { epoch: t, accuracy: correct });
      }
      if (t % 10 === 0) {
        progress.update(t, config.maxEpochs, `loss ${history.trainLoss.at(-1)!.toFixed(4)}`);
        await new Promise((resolve) => setImmediate(resolve)); // lets Ctrl-C and timers through
      }
    }
    best.snapshot.restore();
    progress.update(config.maxEpochs, config.maxEpochs, `best epoch ${best.epoch}`);
    return { ...history, bestEpoch: best.epoch, interrupted: signal?.aborted ?? false };
  } finally {
    for (const item of [cache, trainSet!, valSet!, adam, best.snapshot]) item.dispose();
  }
}

/** β₁ Σ_i mean_c ½(μ² + σ − log(1e-8 + σ)) + β₂(‖W_μ‖² + ‖W_σ‖²). */
function penalty(model: Rgcn, { mean, variance }: Gaussians, { klWeight, decay }: RgcnTrainConfig): Tensor {
  const terms = sub(add(square(mean), variance), log(affine(variance, 1, 1e-8)));
  const divergence = affine(sum(terms), (0.5 * klWeight) / mean.shape[1]!);
  const [means, variances] = model.firstWeights.map(sumSquares);
  return add(divergence, affine(add(means!, variances!), decay));
}
