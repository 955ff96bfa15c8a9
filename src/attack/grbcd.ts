import { defaultsOf, describeOptions, type OptionsOf, resolveOptions, wholeNumber } from "../core/options/index.ts";
import { silent } from "../core/progress.ts";
import { type Flips, noFlips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import { type GraphView, layOver } from "../tensor/index.ts";
import type { AttackResult, AttackTask, TraceEntry } from "./attack.ts";
import { attackWith, type Found } from "./attack-with.ts";
import { checkResumed } from "./check-resumed.ts";
import { type Candidates, candidatesFor } from "./constraints/candidates.ts";
import { scoreAfter } from "./discretise.ts";
import { type GrowingFlips, growingFlips } from "./greedy/growing-flips.ts";
import { LaggedTrace } from "./lagged-trace.ts";
import type { AttackLoss } from "./losses.ts";
import { blockSizeOption, drawOption, lossOption, withObjectiveLoss } from "./options.ts";
import { polished, polishOption } from "./polish/polished.ts";
import { progressNote } from "./trace.ts";
import { checkDifferentiable, type Victim } from "./victim.ts";

export const grbcdOptions = describeOptions({
  blockSize: blockSizeOption,
  epochs: wholeNumber({ from: 1, default: 500, help: "steps over which the budget is spread; fewer if it is smaller" }),
  draw: drawOption,
  loss: lossOption("mce"),
  polish: polishOption(0),
});

/** Options of {@link grbcd}; `rgnn attack --attack grbcd --option list` explains each. */
export type GrbcdOptions = OptionsOf<typeof grbcdOptions>;

/** Default options of {@link grbcd}. */
export const grbcdDefaults: GrbcdOptions = defaultsOf(grbcdOptions);

/**
 * Greedy randomised block coordinate descent (Geisler et al. 2021, Algorithm 2).
 *
 * Every step draws a new block and flips the candidates with the largest gradient on the current discrete graph. Unlike
 * the published algorithm, it flips no pair back and returns the best graph that it passed through. On a small graph,
 * blocks hold the same pairs again and again. The gradient then flips one pair back and forth, and a larger budget led
 * to a weaker attack.
 *
 * @example
 * const task = { nodes: split.test, budget: edgeBudget(graph, 0.05), rng: new Rng(0) };
 * const { accuracy } = await grbcd(model, view, task, { epochs: 100 });
 * console.log(accuracy.clean, accuracy.adversarial);
 */
export async function grbcd(
  model: Model,
  view: GraphView,
  task: AttackTask,
  options: Partial<GrbcdOptions> = {},
): Promise<AttackResult> {
  return resumeGrbcd(model, view, task, noFlips, options);
}

/**
 * Continues from the flips of a run with a smaller budget, and spreads the rest of the budget over `epochs` steps anew.
 * Of the published attacks, only direct ones (on the evaluated model itself) go from budget to budget like this.
 */
export async function resumeGrbcd(
  model: Model,
  view: GraphView,
  task: AttackTask,
  from: Flips,
  options: Partial<GrbcdOptions> = {},
): Promise<AttackResult> {
  const config = resolveOptions("grbcd", grbcdOptions, withObjectiveLoss(options, task));
  checkResumed("grbcd", task, from);
  checkDifferentiable("grbcd", model);
  return attackWith(
    "grbcd",
    model,
    view,
    task,
    polished(task, config, (victim) => search(victim, task, from, config)),
  );
}

/** Launches steps ahead: the host waits only for the trace of the step before. */
async function search(victim: Victim, task: AttackTask, from: Flips, config: GrbcdOptions): Promise<Found> {
  const { view } = victim;
  const { budget, progress = silent, signal, rng, constraints } = task;
  const { blockSize, draw, loss } = config;
  const candidates = candidatesFor(view, constraints, { blockSize, floor: 0, draw, rng });
  const schedule = flipSchedule(budget - from.sources.length, config.epochs);
  const flips = growingFlips(view, from, candidates, { budget, constraints });
  const trace = new LaggedTrace(victim, ({ score }, step) =>
    progress.update(step, schedule.length, progressNote(victim, score, "discrete")),
  );
  try {
    for (const count of schedule) {
      if (signal?.aborted) break;
      const { outcome, hasGrown } = await greedyStep(victim, candidates, flips, { count, loss });
      await trace.add(outcome);
      if (!hasGrown && candidates.blockSize === candidates.outOf) break; // no pair is left
    }
    return await strongestPassed(victim, flips, await trace.end());
  } finally {
    flips.dispose();
    candidates.dispose();
  }
}

/** Flips the `count` strongest pairs of a fresh block, by the gradient on the current graph. */
async function greedyStep(
  victim: Victim,
  candidates: Candidates,
  flips: GrowingFlips,
  { count, loss }: { readonly count: number; readonly loss: AttackLoss },
) {
  const block = candidates.sample();
  try {
    flips.offer(block);
    const relaxed = () => layOver(victim.view, flips.block, 0, block);
    const { gradient, ...outcome } = victim.launchStep(relaxed, loss, block.weights);
    const hasGrown = await flips.add(block, gradient, count).finally(() => gradient.dispose());
    return { outcome, hasGrown };
  } finally {
    block.dispose();
  }
}

/**
 * The flips of the graph with the lowest score that the steps passed through, the last graph included; on ties the
 * later graph, which has more flips.
 */
async function strongestPassed(victim: Victim, flips: GrowingFlips, trace: readonly TraceEntry[]): Promise<Found> {
  const all = await flips.after(trace.length);
  // Each step evaluates the graph that it starts from.
  const scores = [...trace.map(({ score }) => score), await scoreAfter(victim, all)];
  const best = scores.lastIndexOf(Math.min(...scores));
  return { flips: best === trace.length ? all : await flips.after(best), trace };
}

/** How many pairs each step flips: the budget spread evenly, the first steps taking what is left over. */
export function flipSchedule(budget: number, epochs: number): number[] {
  const each = Math.floor(budget / epochs);
  if (each === 0) return new Array<number>(budget).fill(1);
  return Array.from({ length: epochs }, (_, t) => each + (t < budget % epochs ? 1 : 0));
}
