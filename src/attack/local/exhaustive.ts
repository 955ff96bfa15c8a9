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
import { type NodeTrials, nodeTrials } from "./node-trials.ts";

export const exhaustiveOptions = describeOptions({
  mostTrials: wholeNumber({ from: 1, default: 1_000_000, help: "refuse a node that needs more evaluations than this" }),
});

/** Options of {@link exhaustive}; `rgnn attack --attack exhaustive --option list` explains each. */
export type ExhaustiveOptions = OptionsOf<typeof exhaustiveOptions>;

/** What {@link exhaustive} does where no option is given. */
export const exhaustiveDefaults: ExhaustiveOptions = defaultsOf(exhaustiveOptions);

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
  const { mostTrials } = resolveOptions("exhaustive", exhaustiveOptions, options);
  yield* localAttackWith("exhaustive", model, view, task, async () => {
    const trials = nodeTrials(model, view);
    const graph = hostGraph(view, "exhaustive");
    return { search: (target) => search(trials, graph, target, mostTrials), dispose: () => trials.dispose() };
  });
}

async function search(trials: NodeTrials, graph: Graph, target: LocalTarget, mostTrials: number): Promise<Flips> {
  const { node, label, towards, budget, signal } = target;
  const candidates = candidateFlips(graph, target);
  checkTrials(target, candidates.sources.length, mostTrials);
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

function checkTrials({ node, budget }: LocalTarget, candidates: number, mostTrials: number): void {
  check(
    budget <= 2,
    () => `exhaustive: tries at most 2 flips, got a budget of ${budget} for node ${node}; give --budget 1 or 2`,
    BudgetError,
  );
  const trials = budget === 1 ? candidates : (candidates * (candidates + 1)) / 2;
  check(
    trials <= mostTrials,
    () => `exhaustive: node ${node} needs ${trials} evaluations, more than mostTrials ${mostTrials}; lower the budget`,
    BudgetError,
  );
}

/** Each single flip, then each pair of them if the budget is two. */
function* subsets(candidates: Flips, budget: number): Generator<Flips> {
  const { length } = candidates.sources;
  for (let k = 0; k < length; k++) yield selectFlips(candidates, [k]);
  if (budget < 2) return;
  for (let k = 0; k < length; k++) for (let l = k + 1; l < length; l++) yield selectFlips(candidates, [k, l]);
}
