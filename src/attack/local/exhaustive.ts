import { BudgetError, check } from "../../core/errors.ts";
import { defaultsOf, describeOptions, type OptionsOf, resolveOptions, wholeNumber } from "../../core/options/index.ts";
import { type Flips, noFlips } from "../../graph/flips.ts";
import type { Graph } from "../../graph/graph.ts";
import type { Model } from "../../nn/model.ts";
import { type GraphView, hostGraph } from "../../tensor/index.ts";
import { candidateFlips } from "./candidates.ts";
import { selectFlips } from "./flips-at.ts";
import { localAttackWith } from "./local-attack-with.ts";
import type { LocalResult } from "./local-result.ts";
import type { LocalTarget, LocalTask } from "./local-task.ts";
import { distanceToGoal } from "./node-outcome.ts";
import { areTrialsCheap, type NodeTrials, nodeTrials } from "./node-trials.ts";

export const exhaustiveOptions = describeOptions({
  mostTrials: wholeNumber({
    from: 1,
    default: 5_000_000,
    help: "refuse a node that needs more evaluations than this; 100000 unless set where each is a pass over the whole graph",
  }),
});

/** Options of {@link exhaustive}; `rgnn attack --attack exhaustive --option list` explains each. */
export type ExhaustiveOptions = OptionsOf<typeof exhaustiveOptions>;

/** Default options of {@link exhaustive}. */
export const exhaustiveDefaults: ExhaustiveOptions = defaultsOf(exhaustiveOptions);

/** Default of `mostTrials` if each evaluation is a pass over the whole graph. */
const DEAR_TRIALS = 100_000;

/**
 * Brute force over all flips that are allowed, with a budget of one or two: nothing does better. Every single flip, or every pair of
 * flips, is one evaluation of the model.
 */
export async function* exhaustive(
  model: Model,
  view: GraphView,
  task: LocalTask,
  options: Partial<ExhaustiveOptions> = {},
): AsyncGenerator<LocalResult, void> {
  const resolved = resolveOptions("exhaustive", exhaustiveOptions, options);
  const isDear = options.mostTrials === undefined && !areTrialsCheap(model);
  const mostTrials = isDear ? DEAR_TRIALS : resolved.mostTrials;
  yield* localAttackWith("exhaustive", model, view, task, async () => {
    const trials = nodeTrials(model, view);
    const graph = hostGraph(view, "exhaustive");
    return {
      search: (target) => search(trials, graph, target, mostTrials),
      check: checkBudget,
      dispose: () => trials.dispose(),
    };
  });
}

async function search(trials: NodeTrials, graph: Graph, target: LocalTarget, mostTrials: number): Promise<Flips> {
  const { node, label, towards, budget, signal } = target;
  const candidates = candidateFlips(graph, target);
  await checkTrials(trials, target, candidates, mostTrials);
  const distanceAfter = async (flips: Flips) => distanceToGoal(await trials.logits(node, flips), label, towards);
  let best = noFlips;
  let nearest = await distanceAfter(noFlips);
  for (const flips of subsets(candidates, budget)) {
    if (signal?.aborted) break;
    const distance = await distanceAfter(flips);
    if (distance < nearest) {
      best = flips;
      nearest = distance;
    }
  }
  return best;
}

function checkBudget({ node, budget }: LocalTarget): void {
  check(
    budget <= 2,
    () => `exhaustive: tries at most 2 flips, got a budget of ${budget} for node ${node}; give --budget 1 or 2`,
    BudgetError,
  );
}

/** Throws if a search needs more than `mostTrials` evaluations, and says how long they would take. */
async function checkTrials(
  trials: NodeTrials,
  { node, budget }: LocalTarget,
  candidates: Flips,
  mostTrials: number,
): Promise<void> {
  const { length } = candidates.sources;
  const needed = budget === 1 ? length : (length * (length + 1)) / 2;
  if (needed <= mostTrials) return;
  const seconds = needed * (await secondsPerTrial(trials, node, candidates, budget));
  throw new BudgetError(
    `exhaustive: node ${node} needs ${needed} evaluations, ${duration(seconds)} here, more than mostTrials ${mostTrials}; ` +
      `allow them with --option mostTrials=${needed}, or lower the budget`,
  );
}

/** Limits of the timing: seconds, and number of evaluations. */
const TIMED_SECONDS = 0.5;
const MOST_TIMED = 2000;

/** The median: the first evaluations are slower, while the code is compiled. */
async function secondsPerTrial(trials: NodeTrials, node: number, candidates: Flips, budget: number): Promise<number> {
  const { length } = candidates.sources;
  await trials.logits(node, noFlips); // computes what all evaluations share
  const times: number[] = [];
  let spent = 0;
  while (times.length === 0 || (spent < TIMED_SECONDS && times.length < MOST_TIMED)) {
    const k = times.length;
    const flips = selectFlips(candidates, budget === 1 ? [k % length] : [k % length, (k + 1) % length]);
    const begin = performance.now();
    await trials.logits(node, flips);
    const seconds = (performance.now() - begin) / 1000;
    times.push(seconds);
    spent += seconds;
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

function duration(seconds: number): string {
  if (seconds < 90) return `about ${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `about ${Math.round(seconds / 60)} minutes`;
  return `about ${Math.round(seconds / 3600)} hours`;
}

/** Each single flip, then each pair of them if the budget is two. */
function* subsets(candidates: Flips, budget: number): Generator<Flips> {
  const { length } = candidates.sources;
  for (let k = 0; k < length; k++) yield selectFlips(candidates, [k]);
  if (budget < 2) return;
  for (let k = 0; k < length; k++) for (let l = k + 1; l < length; l++) yield selectFlips(candidates, [k, l]);
}
