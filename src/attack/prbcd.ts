import { BudgetError, check } from "../core/errors.ts";
import {
  choice,
  defaultsOf,
  describeOptions,
  type OptionsOf,
  realNumber,
  resolveOptions,
  wholeNumber,
} from "../core/options/index.ts";
import { silent } from "../core/progress.ts";
import type { Model } from "../nn/model.ts";
import { affine, type GraphView, relax, scope, type Tensor } from "../tensor/index.ts";
import type { AttackResult, AttackTask } from "./attack.ts";
import { BestBlock } from "./best-block.ts";
import { type CandidateBlock, resampleBlock, sampleBlock, withHeaviestOnly } from "./block.ts";
import { numPairs } from "./budget.ts";
import { discretise } from "./discretise.ts";
import { LaggedTrace } from "./lagged-trace.ts";
import { blockSizeOption, drawOption, lossOption, samplesOption } from "./options.ts";
import { ascendOntoBudget } from "./projection.ts";
import { attackWith, checkDifferentiable, type DeviceLook, type Victim } from "./victim.ts";

export const prbcdOptions = describeOptions({
  blockSize: blockSizeOption,
  epochs: wholeNumber({ from: 1, default: 400, help: "gradient steps in all" }),
  fineTuneEpochs: wholeNumber({
    from: 0,
    default: 100,
    help: "the last of these, which keep the block of the best epoch; at most a quarter unless set",
  }),
  learningRateFactor: realNumber({
    from: 0,
    default: 100,
    help: "step size, before scaling by budget, graph and block",
  }),
  floor: realNumber({ from: 0, to: 0.5, default: 1e-7, help: "weight of a candidate that is not in use" }),
  samples: samplesOption,
  draw: drawOption,
  /**
   * What makes an epoch the best: the lowest relaxed accuracy (published code), the highest relaxed loss (paper), or the
   * lowest accuracy after flipping its heaviest pairs, which is what comes back; that takes one more pass per epoch.
   */
  bestBy: choice({
    of: ["accuracy", "loss", "discrete"],
    default: "accuracy",
    help: "accuracy (published code), loss (paper) or discrete (of the graph that comes back: slower, stronger)",
  }),
  loss: lossOption("tanh-margin"),
});

export type PrbcdOptions = OptionsOf<typeof prbcdOptions>;

export const prbcdDefaults: PrbcdOptions = defaultsOf(prbcdOptions);

/**
 * Projected randomised block coordinate descent (Geisler et al. 2021, Algorithm 1).
 *
 * Looks for at most `budget` edge flips that make `model` misclassify `nodes`. Neither `model` nor the graph changes, and
 * the same seed gives the same flips. Time and memory grow with the block and the edges, never with n².
 *
 * @example
 * const { flips } = await prbcd(model, view, { nodes: test, budget: edgeBudget(graph, 0.05), rng: new Rng(0) });
 */
export async function prbcd(
  model: Model,
  view: GraphView,
  task: AttackTask,
  options: Partial<PrbcdOptions> = {},
): Promise<AttackResult> {
  const config = configOf(options);
  checkDifferentiable("prbcd", model);
  return attackWith("prbcd", model, view, task, (victim) => search(victim, task, config));
}

/** A short run without a word about fine-tuning still spends most of its epochs on fresh blocks. */
function configOf(options: Partial<PrbcdOptions>): PrbcdOptions {
  const given = resolveOptions("prbcd", prbcdOptions, options);
  const fineTuneEpochs = options.fineTuneEpochs ?? Math.min(given.fineTuneEpochs, Math.floor(given.epochs / 4));
  check(
    fineTuneEpochs <= given.epochs,
    () => `prbcd: fineTuneEpochs, ${fineTuneEpochs}, must be at most epochs, ${given.epochs}, which include them`,
  );
  return { ...given, fineTuneEpochs };
}

async function search(victim: Victim, task: AttackTask, config: PrbcdOptions) {
  const { view, attacked } = victim;
  const { budget, rng, progress = silent, signal } = task;
  const { epochs, fineTuneEpochs, floor, draw } = config;
  const blockSize = Math.min(config.blockSize, numPairs(view.graph));
  check(
    budget < blockSize || blockSize === numPairs(view.graph),
    () => `prbcd: budget ${budget} must be below the block size, ${blockSize}; raise the block size`,
    BudgetError,
  );
  const lastResampling = epochs - fineTuneEpochs - 1;
  const best = new BestBlock(view);
  const offer = (look: DeviceLook) => scope(() => best.offer(score(config, look), block));
  const trace = new LaggedTrace(attacked.size, ({ accuracy }, epoch) =>
    progress.update(epoch, epochs, `accuracy ${accuracy.toFixed(4)}`),
  );
  let block = sampleBlock(view, blockSize, floor, draw, rng); // lines 3–4
  const relaxed = () => relax(view, block, floor);
  const looksTwice = config.bestBy === "discrete";
  const judged = () => (looksTwice ? relax(view, withHeaviestOnly(block, budget), floor) : relaxed());
  const replace = (next: CandidateBlock) => {
    best.release(block);
    block.dispose();
    return next;
  };
  const look = () => scope(() => offer(victim.launchLook(judged, config.loss)));
  try {
    let epoch = 0;
    for (; epoch < epochs && !signal?.aborted; epoch++) {
      // line 5; everything below is launched, nothing is waited for but the trace of the epoch before
      const { gradient, ...seen } = victim.launchStep(relaxed, config.loss, block.weights); // lines 6–7
      // This pass saw the graph that the last update left: resampling only drops candidates at the floor. So its
      // accuracy stands for the one after that update, and a second pass per epoch is saved.
      if (!looksTwice && epoch > 0 && epoch !== lastResampling + 1) offer(seen);
      const rate = learningRate(config, blockSize, task, view, epoch);
      const report = ascendOntoBudget(block.weights, gradient, rate, budget, floor); // lines 7–8
      gradient.dispose();
      if (looksTwice || epoch === lastResampling) look();
      if (epoch < lastResampling) block = replace(resampleBlock(view, block, floor, draw, rng)); // lines 9–14
      if (epoch === lastResampling) best.restore(block); // fine-tuning starts from the best epoch
      await trace.add(seen, report);
    }
    if (!looksTwice && epoch > 0) look();
    best.restore(block);
    const entries = await trace.end();
    return { flips: await discretise(victim, block, budget, floor, config.samples, rng), trace: entries }; // line 16
  } finally {
    block.dispose();
    best.dispose();
  }
}

/** Step size of an epoch: constant while blocks change, then falling with the root of the fine-tuning epochs. */
export function learningRate(
  config: PrbcdOptions,
  blockSize: number,
  { budget }: AttackTask,
  { graph }: GraphView,
  epoch: number,
): number {
  const base = config.learningRateFactor * Math.max(Math.log2(numPairs(graph) / blockSize), 1);
  const fineTuning = Math.max(0, epoch - (config.epochs - config.fineTuneEpochs));
  return ((budget / (2 * graph.numNodes)) * base) / Math.sqrt(fineTuning + 1);
}

/** Lower is better. */
function score({ bestBy }: PrbcdOptions, { loss, correct }: DeviceLook): Tensor {
  return bestBy === "loss" ? affine(loss, -1) : correct;
}
