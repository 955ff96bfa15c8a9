import { breathe } from "../../core/breathe.ts";
import { choice, defaultsOf, describeOptions, type OptionsOf, resolveOptions } from "../../core/options/index.ts";
import type { Graph } from "../../graph/graph.ts";
import type { Model } from "../../nn/model.ts";
import { type GraphView, hostGraph } from "../../tensor/index.ts";
import { lossByName } from "../losses.ts";
import { checkDifferentiable } from "../victim.ts";
import { CandidateGradient } from "./candidate-gradient.ts";
import { candidateFlips } from "./candidates.ts";
import { selectFlips } from "./flips-at.ts";
import { localAttackWith } from "./local-attack-with.ts";
import type { LocalResult } from "./local-result.ts";
import type { FoundFlips, LocalTarget, LocalTask } from "./local-task.ts";
import { largest } from "./node-outcome.ts";

export const fgaOptions = describeOptions({
  // Losses that are flat where the node is right, or where it is wrong, are left out: in one direction or the other
  // they have no gradient to follow.
  loss: choice({
    of: ["ce", "margin", "tanh-margin"],
    default: "margin",
    help: "what to maximise; published with ce, which is flat where the model is sure",
  }),
});

/** Options of {@link fga}; `rgnn attack --attack fga --option list` explains each. */
export type FgaOptions = OptionsOf<typeof fgaOptions>;

/** Default options of {@link fga}. */
export const fgaDefaults: FgaOptions = defaultsOf(fgaOptions);

/**
 * Fast gradient attack (Chen et al. 2018): each step makes the one flip whose gradient promises most on the current graph. A pair is
 * flipped at most once, and the search stops when no flip promises anything. The flips come in the order they were made.
 *
 * @example
 * const task = { nodes: split.test, budget: { flips: 10, minimal: true }, rng: new Rng(0) };
 * for await (const { node, perturbation } of fga(model, view, task)) console.log(node, perturbation.flips.sources.length);
 */
export async function* fga(
  model: Model,
  view: GraphView,
  task: LocalTask,
  options: Partial<FgaOptions> = {},
): AsyncGenerator<LocalResult, void> {
  const { loss } = resolveOptions("fga", fgaOptions, options);
  checkDifferentiable("fga", model);
  yield* localAttackWith("fga", model, view, task, async () => {
    const gradient = new CandidateGradient(model, view, lossByName(loss));
    const graph = hostGraph(view, "fga");
    return { search: (target) => search(gradient, graph, target), dispose: () => gradient.dispose() };
  });
}

async function search(gradient: CandidateGradient, graph: Graph, target: LocalTarget): Promise<FoundFlips> {
  const candidates = candidateFlips(graph, target);
  const made: number[] = [];
  while (made.length < target.budget && made.length < candidates.sources.length && !target.signal?.aborted) {
    const slopes = await gradient.at(target, selectFlips(candidates, made), candidates);
    for (const k of made) slopes[k] = Number.NEGATIVE_INFINITY;
    const best = largest(slopes, -1);
    if (!(slopes[best] > 0)) break;
    made.push(best);
    await breathe();
  }
  return { ...selectFlips(candidates, made), epochs: made.length };
}
