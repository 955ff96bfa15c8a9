import { BudgetError, check } from "../core/errors.ts";
import {
  choice,
  defaultsOf,
  describeOptions,
  type OptionsOf,
  realNumber,
  resolveOptions,
  wholeNumber,
  withDefaults,
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
import { tanhMargin } from "./losses.ts";
import { blockSizeOption, drawOption, lossOption, samplesOption, withObjectiveLoss } from "./options.ts";
import { POLISH_ROUNDS, polished, polishOption } from "./polish/polished.ts";
import { epochsBeforeSharpening, growthOf, sharpen } from "./sharpening.ts";
import { AdaptiveStep, firstRate, PublishedStep, type StepSize } from "./step-size.ts";
import { progressNote } from "./trace.ts";
import { checkDifferentiable, type Victim } from "./victim.ts";

export const prbcdOptions = describeOptions({
  preset: choice({
    of: ["strong", "paper"],
    default: "strong",
    help: "strong (fools far more nodes) or paper (as published, to compare with); options given beside it win",
  }),
  blockSize: blockSizeOption,
  epochs: wholeNumber({ from: 1, default: 400, help: "gradient steps in all" }),
  fineTuneEpochs: wholeNumber({
    from: 0,
    default: 50,
    help: "the last of these, which draw no new candidates; at most a quarter unless set; paper: 100",
  }),
  step: choice({
    of: ["adaptive", "published"],
    default: "adaptive",
    help: "adaptive (by what a step does to the weights) or published (by learningRateFactor alone); paper: published",
  }),
  learningRateFactor: realNumber({
    from: 0,
    default: 300,
    help: "step size, before scaling by budget, graph and block; an adaptive step starts there; paper: 100",
  }),
  sharpening: realNumber({
    from: 0,
    default: 10,
    help: "how far weights are driven to 0 or 1 in the last three fifths of the epochs; paper: 0",
  }),
  floor: realNumber({ from: 0, to: 0.5, default: 1e-7, help: "weight of a candidate that is not in use" }),
  samples: samplesOption,
  draw: drawOption,
  /**
   * Which epoch is the best. `accuracy`: the lowest relaxed accuracy (published code). `loss`: the highest relaxed loss
   * (paper). `discrete`: the lowest accuracy after flipping the heaviest pairs of the epoch, which is closest to what
   * comes back but takes one more pass per epoch. `final`: the same, but only in epochs that fine-tune; before weights
   * are sharpened, the relaxed graph says little about the discrete one. With another objective, its score takes the
   * place of accuracy.
   */
  bestBy: choice({
    of: ["final", "accuracy", "loss", "discrete"],
    default: "final",
    help: "final (discrete accuracy in fine-tuning), discrete (in all epochs: slower), accuracy or loss (relaxed); paper: accuracy",
  }),
  loss: { ...lossOption("far-margin"), help: "what to maximise; paper: tanh-margin" },
  polish: polishOption(POLISH_ROUNDS),
});

/** What differs from the defaults in the published setting. */
const PAPER = {
  fineTuneEpochs: 100,
  step: "published",
  learningRateFactor: 100,
  sharpening: 0,
  bestBy: "accuracy",
  loss: tanhMargin,
  polish: 0,
} as const;

/** Options of {@link prbcd}; `rgnn attack --attack prbcd --option list` explains each. */
export type PrbcdOptions = OptionsOf<typeof prbcdOptions>;

/** Default options of {@link prbcd}: the preset `strong`. */
export const prbcdDefaults: PrbcdOptions = defaultsOf(prbcdOptions);

/**
 * Projected randomised block coordinate descent (Geisler et al. 2021, Algorithm 1).
 *
 * Looks for at most `budget` edge flips that make `model` misclassify `nodes`. By default, the step size adapts and
 * weights are driven to 0 or 1, which needs no tuning; `preset: "paper"` is the published setting. Neither `model` nor
 * the graph changes, and the same seed gives the same flips. Time and memory grow with the block and the edges, never
 * with n².
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

/**
 * All options: those given, and the preset's for the others. If `fineTuneEpochs` is not given, it is at most a quarter
 * of the epochs, so that a short run still spends most of them on fresh blocks.
 */
export function resolvePrbcd(options: Partial<PrbcdOptions>): PrbcdOptions {
  const { preset } = resolveOptions("prbcd", prbcdOptions, options);
  const description = preset === "paper" ? withDefaults(prbcdOptions, PAPER) : prbcdOptions;
  const given = resolveOptions("prbcd", description, options);
  const fineTuneEpochs = options.fineTuneEpochs ?? Math.min(given.fineTuneEpochs, Math.floor(given.epochs / 4));
  check(
    fineTuneEpochs <= given.epochs,
    () => `prbcd: fineTuneEpochs, ${fineTuneEpochs}, must be at most epochs, ${given.epochs}, which include them`,
  );
  return { ...given, fineTuneEpochs };
}

/** Algorithm 1, marked with its lines. Launches epochs ahead: the host waits only for the trace of the epoch before. */
async function search(victim: Victim, task: AttackTask, config: PrbcdOptions): Promise<Found> {
  const { view } = victim;
  const { budget, rng, progress = silent, signal, constraints } = task;
  const { epochs, floor, draw, samples, loss } = config;
  const resamplingEpochs = epochs - config.fineTuneEpochs;
  const candidates = candidatesFor(view, constraints, { blockSize: config.blockSize, floor, draw, rng });
  const best = new BestEpoch(victim, task, config);
  const ascend = ascenderFor({ budget, floor, constraints });
  const step = stepSize(config, firstRate(config.learningRateFactor, candidates, task, view));
  const trace = new LaggedTrace(victim, ({ score, shift }, epoch) => {
    if (shift !== undefined) step.observe(shift);
    progress.update(epoch, epochs, progressNote(victim, score, "relaxed"));
  });
  let block = candidates.sample(); // lines 3–4: the pairs i and their weights p
  try {
    checkBlockSize(candidates, budget);
    // line 5
    for (let t = 1; t <= epochs && !signal?.aborted; t++) {
      const relaxed = () => relax(view, block, floor); // A ⊕ p
      const { gradient, ...outcome } = victim.launchStep(relaxed, loss, block.weights); // line 6, and ∇ of line 7
      best.seen(outcome, block);
      sharpen(block.weights, growthOf(config, t - 1), floor);
      const report = await ascend(block, gradient, step.rate(t - 1)); // lines 7–8
      gradient.dispose();
      await best.updated(block, t > resamplingEpochs);
      if (t < resamplingEpochs) block = best.replace(block, await candidates.resample(block)); // lines 9–14
      if (t === resamplingEpochs) {
        await best.startFineTuning(block);
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

/** Throws unless the block has more pairs than the budget, or all that may be flipped. */
function checkBlockSize({ blockSize, outOf }: Candidates, budget: number): void {
  check(
    budget < blockSize || blockSize === outOf,
    () => `prbcd: budget ${budget} must be below the block size, ${blockSize}; raise --block-size (blockSize)`,
    BudgetError,
  );
}

/** An adaptive step stays as it is once weights are sharpened, because λ then no longer depends on the step alone. */
function stepSize(config: PrbcdOptions, first: number): StepSize {
  if (config.step === "published") return new PublishedStep(first, config);
  return new AdaptiveStep(first, config.epochs, epochsBeforeSharpening(config));
}
