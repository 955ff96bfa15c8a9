import {
  defaultsOf,
  describeOptions,
  type OptionsOf,
  realNumber,
  resolveOptions,
  wholeNumber,
} from "../../core/options/index.ts";
import { type Flips, noFlips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import type { GraphView } from "../../tensor/index.ts";
import type { AttackResult, AttackTask } from "../attack.ts";
import { attackWith, type Found } from "../attack-with.ts";
import { checkResumed } from "../check-resumed.ts";
import { blockSizeOption } from "../options.ts";
import { hasCheapTrials } from "../standing/open-standing.ts";
import type { Victim } from "../victim.ts";
import { Deadline } from "./deadline.ts";
import { nothing, Stages } from "./stages.ts";
import { startsFor } from "./starts.ts";

/**
 * Shares of the time: for the first attacks, for polishing their best, for polishing from nothing; evolution gets the
 * rest.
 */
const FOR_STARTS = 0.3;
const FOR_BEST = 0.3;
const FOR_NOTHING = 0.25;

export const autoOptions = describeOptions({
  seconds: realNumber({ from: 0, default: 0, help: "ends it after this time; 0 for no limit but the rounds" }),
  epochs: wholeNumber({ from: 1, default: 400, help: "gradient steps of each attack that it starts with" }),
  rounds: wholeNumber({
    from: 0,
    default: 40,
    help: "rounds of polish from the best of them, and as many from nothing",
  }),
  blockSize: blockSizeOption,
});

/** Options of {@link auto}; `rgnn attack --attack auto --option list` explains each. */
export type AutoOptions = OptionsOf<typeof autoOptions>;

/** Default options of {@link auto}. */
export const autoDefaults: AutoOptions = defaultsOf(autoOptions);

/**
 * The attack to run if you just want to know how robust a model is. It starts with all attacks that fit: PR-BCD and
 * GR-BCD, on the model if it has gradients and on the surrogates of the task. It polishes the best of their flips and,
 * separately, an empty set. It continues by evolution if changes are cheap to try or there are no gradients, and
 * returns the strongest flips. `stages` of the result says what each achieved.
 *
 * @example
 * const { accuracy, stages } = await auto(model, view, { nodes: split.test, budget: 400, rng: new Rng(0) }, { seconds: 60 });
 */
export async function auto(
  model: Model,
  view: GraphView,
  task: AttackTask,
  options: Partial<AutoOptions> = {},
): Promise<AttackResult> {
  return resumeAuto(model, view, task, noFlips, options);
}

/**
 * {@link auto}, starting also from the flips of a smaller budget: with several budgets in turn the score never rises.
 */
export async function resumeAuto(
  model: Model,
  view: GraphView,
  task: AttackTask,
  from: Flips,
  options: Partial<AutoOptions> = {},
): Promise<AttackResult> {
  const config = resolveOptions("auto", autoOptions, options);
  checkResumed("auto", task, from);
  return attackWith("auto", model, view, task, (victim) => search(victim, task, from, config));
}

/** All stages in turn; the strongest wins, the earlier on ties. */
async function search(victim: Victim, task: AttackTask, from: Flips, config: AutoOptions): Promise<Found> {
  const deadline = new Deadline(task.signal, config.seconds);
  const stages = new Stages(victim, task, config);
  for (const { name, find } of startsFor(victim, task, from, config)) {
    const signal = deadline.part(FOR_STARTS);
    if (stages.isEmpty || !signal.aborted) await stages.run(name, () => find({ ...task, signal }));
  }
  const best = stages.isEmpty ? nothing : stages.strongest;
  await stages.polish(best, deadline.part(FOR_STARTS + FOR_BEST));
  if (best !== nothing) await stages.polish(nothing, deadline.part(FOR_STARTS + FOR_BEST + FOR_NOTHING));
  if (hasCheapTrials(victim) || !victim.model.differentiable.edges) await stages.evolve(deadline);
  return { flips: stages.isEmpty ? noFlips : stages.strongest.flips, trace: [], stages: stages.reports };
}
