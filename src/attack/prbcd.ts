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
import { type GraphView, relax } from "../tensor/index.ts";
import type { AttackResult, AttackTask } from "./attack.ts";
import { attackWith, type Found } from "./attack-with.ts";
import { BestEpoch } from "./best-epoch.ts";
import { type Candidates, candidatesFor } from "./constraints/candidates.ts";
import { ascenderFor } from "./constraints/project-onto-limits.ts";
import { discretise } from "./discretise.ts";
import { LaggedTrace } from "./lagged-trace.ts";
import { blockSizeOption, drawOption, lossOption, samplesOption, withObjectiveLoss } from "./options.ts";
import { POLISH_ROUNDS, polished, polishOption } from "./polish/polished.ts";
import { progressNote } from "./trace.ts";
import { checkDifferentiable, type Victim } from "./victim.ts";

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
   * lowest accuracy after flipping its heaviest pairs, which is what comes back; that takes one more pass per epoch. With another
   * objective its score takes the place of accuracy.
   */
  bestBy: choice({
    of: ["accuracy", "loss", "discrete"],
    default: "accuracy",
    help: "accuracy (published code), loss (paper) or discrete (of the graph that comes back: slower, stronger)",
  }),
  loss: lossOption("tanh-margin"),
  polish: polishOption(POLISH_ROUNDS),
});

/** Options of {@link prbcd}; `rgnn attack --attack prbcd --option list` explains each. */
export type PrbcdOptions = OptionsOf<typeof prbcdOptions>;

/** What {@link prbcd} does where no option is given. */
export const prbcdDefaults: PrbcdOptions = defaultsOf(prbcdOptions);

/**
 * Projected randomised block coordinate descent (Geisler et al. 2021, Algorithm 1).
 *
 * Looks for at most `budget` edge flips that make `model` misclassify `nodes`. Neither `model` nor the graph changes, and
 * the same seed gives the same flips. Time and memory grow with the block and the edges, never with n².
 *
 * @example
 * const { perturbation } = await prbcd(model, view, { nodes: test, budget: edgeBudget(graph, 0.05), rng: new Rng(0) });
 */
export async function prbcd(
  model: Model,
  view: GraphView,
  task: AttackTask,
  options: Partial<PrbcdOptions> = {},
): Promise<AttackResult> {
  const config = resolvePrbcd(withObjectiveLoss(options, task));
  checkDifferentiable("prbcd", model);
  return attackWith(
    "prbcd",
    model,
    view,
    task,
    polished(task, config, (victim) => search(victim, task, config)),
  );
}

/** All options. A short run without a word about fine-tuning still spends most of its epochs on fresh blocks. */
export function resolvePrbcd(options: Partial<PrbcdOptions>): PrbcdOptions {
  const given = resolveOptions("prbcd", prbcdOptions, options);
  const fineTuneEpochs = options.fineTuneEpochs ?? Math.min(given.fineTuneEpochs, Math.floor(given.epochs / 4));
  check(
    fineTuneEpochs <= given.epochs,
    () => `prbcd: fineTuneEpochs, ${fineTuneEpochs}, must be at most epochs, ${given.epochs}, which include them`,
  );
  return { ...given, fineTuneEpochs };
}

/** Algorithm 1, marked with its lines. Epochs are launched ahead: nothing is waited for but the trace of the epoch before. */
async function search(victim: Victim, task: AttackTask, config: PrbcdOptions): Promise<Found> {
  const { view } = victim;
  const { budget, rng, progress = silent, signal, constraints } = task;
  const { epochs, floor, draw, samples, loss } = config;
  const resamplingEpochs = epochs - config.fineTuneEpochs;
  const candidates = candidatesFor(view, constraints, { blockSize: config.blockSize, floor, draw, rng });
  const best = new BestEpoch(victim, task, config);
  const ascend = ascenderFor({ budget, floor, constraints });
  const trace = new LaggedTrace(victim, (entry, epoch) =>
    progress.update(epoch, epochs, progressNote(victim, entry.score, "relaxed")),
  );
  let block = candidates.sample(); // lines 3–4: the pairs i and their weights p
  try {
    checkBlockSize(candidates, budget);
    // line 5
    for (let t = 1; t <= epochs && !signal?.aborted; t++) {
      const relaxed = () => relax(view, block, floor); // A ⊕ p
      const { gradient, ...outcome } = victim.launchStep(relaxed, loss, block.weights); // line 6, and ∇ of line 7
      best.seen(outcome, block);
      const rate = learningRate(config, candidates, task, view, t - 1);
      const report = await ascend(block, gradient, rate); // lines 7–8
      gradient.dispose();
      await best.updated(block);
      if (t < resamplingEpochs) block = best.replace(block, await candidates.resample(block)); // lines 9–14
      if (t === resamplingEpochs) {
        await best.restore(block); // fine-tuning starts from the best epoch
        candidates.mask(block);
      }
      await trace.add(outcome, report);
    }
    await best.restore(block);
    const entries = await trace.end();
    return { flips: await discretise(victim, block, { budget, floor, samples, rng, constraints }), trace: entries }; // line 16
  } finally {
    block.dispose();
    candidates.dispose();
    best.dispose();
  }
}

/** A block has room for more than the budget, unless it has all pairs that may be flipped. */
function checkBlockSize({ blockSize, outOf }: Candidates, budget: number): void {
  check(
    budget < blockSize || blockSize === outOf,
    () => `prbcd: budget ${budget} must be below the block size, ${blockSize}; raise --block-size (blockSize)`,
    BudgetError,
  );
}

/** Step size of an epoch: constant while blocks change, then falling with the root of the fine-tuning epochs. */
export function learningRate(
  config: PrbcdOptions,
  { blockSize, outOf }: Pick<Candidates, "blockSize" | "outOf">,
  { budget }: AttackTask,
  view: GraphView,
  epoch: number,
): number {
  const base = config.learningRateFactor * Math.max(Math.log2(outOf / blockSize), 1);
  const fineTuning = Math.max(0, epoch - (config.epochs - config.fineTuneEpochs));
  return ((budget / (2 * view.numNodes)) * base) / Math.sqrt(fineTuning + 1);
}
