import { defaultsOf, describeOptions, type OptionsOf, resolveOptions, wholeNumber } from "../core/options/index.ts";
import { silent } from "../core/progress.ts";
import { type Flips, noFlips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import type { GraphView } from "../tensor/index.ts";
import type { AttackResult, AttackTask, TraceEntry } from "./attack.ts";
import { attackWith } from "./attack-with.ts";
import { checkResumed } from "./check-resumed.ts";
import { toggleFlips } from "./choose-flips.ts";
import { candidatesFor } from "./constraints/candidates.ts";
import { scoreAfter } from "./discretise.ts";
import { strongestByGradient } from "./gradient-step.ts";
import { blockSizeOption, drawOption, lossOption, withObjectiveLoss } from "./options.ts";
import { polished, polishOption } from "./polish/polished.ts";
import { progressNote, traceEntry } from "./trace.ts";
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

/** What {@link grbcd} does where no option is given. */
export const grbcdDefaults: GrbcdOptions = defaultsOf(grbcdOptions);

/**
 * Greedy randomised block coordinate descent (Geisler et al. 2021, Algorithm 2).
 *
 * Every step draws a new block and flips the candidates with the largest gradient on the current discrete graph. Unlike the published
 * algorithm, it flips no pair back and returns the best graph that it passed through: on a small graph, whose blocks hold the
 * same pairs again and again, the gradient asks for the same pair back and forth, and a larger budget led to a weaker attack.
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
 * Goes on from what a run with a smaller budget found: what is left of the budget is spread over `epochs` steps anew. The
 * published attacks on the evaluated model itself go from budget to budget like this; only they do.
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

async function search(victim: Victim, task: AttackTask, from: Flips, config: GrbcdOptions) {
  const { progress = silent, signal, rng, constraints } = task;
  const { blockSize, draw } = config;
  const candidates = candidatesFor(victim.view, constraints, { blockSize, floor: 0, draw, rng });
  const schedule = flipSchedule(task.budget - from.sources.length, config.epochs);
  let flips = toggleFlips(noFlips, from);
  let best = { flips, score: Number.POSITIVE_INFINITY };
  const trace: TraceEntry[] = [];
  try {
    for (const [epoch, count] of schedule.entries()) {
      if (signal?.aborted) break;
      const choice = { soFar: flips, count, constraints, loss: config.loss };
      const { chosen, loss, score } = await strongestByGradient(victim, candidates, choice);
      if (score <= best.score) best = { flips, score }; // on ties the later graph, which has more flips
      const entry = traceEntry(victim, { loss, score });
      trace.push(entry);
      flips = toggleFlips(flips, chosen);
      progress.update(epoch + 1, schedule.length, progressNote(victim, entry.score, "discrete"));
      if (chosen.sources.length === 0 && candidates.blockSize === candidates.outOf) break; // nothing is left
    }
  } finally {
    candidates.dispose();
  }
  const score = await scoreAfter(victim, flips); // every other graph was seen by the step that started from it
  return { flips: score <= best.score ? flips : best.flips, trace };
}

/** How many pairs each step flips: the budget spread evenly, the first steps taking what is left over. */
export function flipSchedule(budget: number, epochs: number): number[] {
  const each = Math.floor(budget / epochs);
  if (each === 0) return new Array<number>(budget).fill(1);
  return Array.from({ length: epochs }, (_, t) => each + (t < budget % epochs ? 1 : 0));
}
