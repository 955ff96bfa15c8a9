import {
  defaultsOf,
  describeOptions,
  type OptionsOf,
  realNumber,
  resolveOptions,
  wholeNumber,
} from "../../core/options/index.ts";
import { checkFlips, type Flips, noFlips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import { type GraphView, hostGraph } from "../../tensor/index.ts";
import type { AttackResult, AttackTask, TraceEntry } from "../attack.ts";
import { attackWith, type Found } from "../attack-with.ts";
import { Deadline } from "../auto/deadline.ts";
import { checkResumed } from "../check-resumed.ts";
import { progressNote, traceEntry } from "../trace.ts";
import type { Victim } from "../victim.ts";
import { Evolution } from "./evolution.ts";
import { Incumbent } from "./incumbent.ts";
import { PairKeys } from "./pair-keys.ts";
import { strongestOf } from "./strongest-of.ts";

export const evaOptions = describeOptions({
  epochs: wholeNumber({ from: 1, default: 1000, help: "generations; as many as there is time for if that is limited" }),
  seconds: realNumber({ from: 0, default: 0, help: "ends it after this time; 0 for no limit but the generations" }),
  population: wholeNumber({ from: 1, default: 32, help: "sets of flips that survive a generation" }),
  offspring: wholeNumber({ from: 1, default: 32, help: "children per generation, by crossover and mutation" }),
  probes: wholeNumber({
    from: 1,
    default: 1024,
    help: "single pairs tried per generation; a sixteenth of them where each costs a forward pass",
  }),
  tournament: wholeNumber({ from: 1, default: 3, help: "members of which the fittest becomes a parent" }),
  crossover: realNumber({ from: 0, to: 1, default: 0.5, help: "share of the children with two parents" }),
  mutation: realNumber({
    from: 0,
    default: 1.5,
    help: "flips that a child gets beyond the first, on average; adapted from there",
  }),
  patience: wholeNumber({
    from: 1,
    default: 300,
    help: "generations without a better set before some of its flips are thrown away",
  }),
});

/** Options of {@link eva}; `rgnn attack --attack eva --option list` explains each. */
export type EvaOptions = OptionsOf<typeof evaOptions>;

/** Default options of {@link eva}. */
export const evaDefaults: EvaOptions = defaultsOf(evaOptions);

/**
 * Evolutionary attack on sets of flips, after EvA (Akhondzadeh et al. 2025): a population is changed by crossover and
 * mutation, and the fittest survive. It asks the model for predictions only, never for gradients, so that it attacks
 * any model and lowers any objective.
 *
 * What is not in the paper: An individual is stored as its difference from the best one and evaluated as a change to
 * the graph of that one; if the model is a stack of convolutions, only rows that the change reaches are computed.
 * Mutation learns from trials of single pairs which of them pay and which flips are dispensable. Children may have many
 * parents.
 *
 * @example
 * const task = { nodes: split.test, budget: edgeBudget(graph, 0.05), rng: new Rng(0) };
 * const { accuracy } = await eva(model, view, task, { epochs: 500 });
 */
export async function eva(
  model: Model,
  view: GraphView,
  task: AttackTask,
  options: Partial<EvaOptions> = {},
): Promise<AttackResult> {
  return resumeEva(model, view, task, noFlips, options);
}

/** {@link eva} with a population that starts at the flips `from`; what comes back is never weaker than they are. */
export async function resumeEva(
  model: Model,
  view: GraphView,
  task: AttackTask,
  from: Flips,
  options: Partial<EvaOptions> = {},
): Promise<AttackResult> {
  const config = resolveEva(options);
  checkResumed("eva", task, from);
  checkFlips(hostGraph(view, "eva"), from);
  return attackWith("eva", model, view, task, (victim) => search(victim, task, from, config));
}

/** All options. If only the time is limited, the number of generations is not. */
function resolveEva(options: Partial<EvaOptions>): EvaOptions {
  const given = resolveOptions("eva", evaOptions, options);
  const isTimed = given.seconds > 0 && options.epochs === undefined;
  return isTimed ? { ...given, epochs: Number.MAX_SAFE_INTEGER } : given;
}

async function search(victim: Victim, given: AttackTask, from: Flips, config: EvaOptions): Promise<Found> {
  const begin = performance.now();
  const signal = new Deadline(given.signal, config.seconds);
  const task: AttackTask = { ...given, signal };
  const incumbent = await Incumbent.open(victim, task, new PairKeys(victim.view));
  const trace: TraceEntry[] = [];
  try {
    const evolution = new Evolution(victim, task, config, incumbent);
    await evolution.begin(from);
    while (trace.length < config.epochs && !signal.aborted && !isWon(victim, evolution)) {
      await evolution.step();
      const { score, fitness } = evolution.champion;
      trace.push(traceEntry(victim, { loss: -fitness / victim.attacked.size, score }));
      task.progress?.update(...howFar(config, trace.length, begin), progressNote(victim, score, "discrete"));
    }
    const candidates = [evolution.champion.flips, from, noFlips];
    return { flips: await strongestOf(victim, task.nodes, candidates, incumbent.repeats), trace };
  } finally {
    incumbent.close();
  }
}

/** Progress: generations done and in all, or seconds if only the time is limited. */
function howFar({ epochs, seconds }: EvaOptions, generation: number, begin: number): [number, number] {
  if (epochs < Number.MAX_SAFE_INTEGER) return [generation, epochs];
  return [Math.min((performance.now() - begin) / 1000, seconds), seconds];
}

/** Whether nothing is left to lower. */
function isWon({ objective }: Victim, { champion }: Evolution): boolean {
  return objective.perNode?.measure === "count" && champion.score === 0;
}
