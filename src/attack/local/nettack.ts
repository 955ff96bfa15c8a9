import { breathe } from "../../core/breathe.ts";
import {
  boolean,
  choice,
  defaultsOf,
  describeOptions,
  type OptionsOf,
  realNumber,
  resolveOptions,
} from "../../core/options/index.ts";
import type { Flips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import type { GraphView } from "../../tensor/index.ts";
import { candidateFlips } from "./candidates.ts";
import { type DegreeSums, DegreeTest, degreeSums, type LikelihoodSign } from "./degree-test.ts";
import { selectFlips } from "./flips-at.ts";
import { type LinearTwoStep, linearTwoStep } from "./linear-two-step.ts";
import { localAttackWith } from "./local-attack-with.ts";
import type { LocalResult } from "./local-result.ts";
import type { FoundFlips, LocalTarget, LocalTask } from "./local-task.ts";
import { distanceToGoal } from "./node-outcome.ts";
import { TwoStepRow } from "./two-step-row.ts";

export const nettackOptions = describeOptions({
  degreeTest: boolean({ default: true, help: "refuse flips after which the degrees look different" }),
  cutoff: realNumber({ from: 0, default: 0.004, help: "how different the degrees may look" }),
  likelihood: choice({
    of: ["plus", "minus"],
    default: "plus",
    help: "sign of the last term of the likelihood of degrees: that of the published code, or the textbook's minus",
  }),
});

/** Options of {@link nettack}; `rgnn attack --attack nettack --option list` explains each. */
export type NettackOptions = OptionsOf<typeof nettackOptions>;

/** Default options of {@link nettack}. */
export const nettackDefaults: NettackOptions = defaultsOf(nettackOptions);

/**
 * Nettack (Zügner et al. 2018) on the edges: each step makes the flip after which the margin of a linear model is smallest, by exact
 * scores, among those that leave no node without edges and pass a test on the degrees. `model` is that linear model, a linear
 * GCN of two layers or SGC with two steps; name another one as `victim` in the task to see what the flips do to it.
 *
 * @example
 * const task = { nodes: [17, 42], budget: { share: 0.5 }, rng: new Rng(0) };
 * for await (const { node, success } of nettack(model, view, task)) console.log(node, success);
 */
export async function* nettack(
  model: Model,
  view: GraphView,
  task: LocalTask,
  options: Partial<NettackOptions> = {},
): AsyncGenerator<LocalResult, void> {
  const config = resolveOptions("nettack", nettackOptions, options);
  yield* localAttackWith("nettack", model, view, task, async () => {
    const linear = await linearTwoStep("nettack", model, view);
    const clean = degreeSums(linear.graph.adjacency);
    return { search: (target) => search(linear, clean, target, config), dispose() {} };
  });
}

async function search(
  linear: LinearTwoStep,
  clean: DegreeSums,
  target: LocalTarget,
  config: NettackOptions,
): Promise<FoundFlips> {
  const row = new TwoStepRow(linear, target.node);
  const candidates = candidateFlips(linear.graph, target);
  const test = config.degreeTest ? new DegreeTest(clean, config.cutoff, config.likelihood as LikelihoodSign) : null;
  const made: number[] = [];
  while (made.length < target.budget && !target.signal?.aborted) {
    const best = bestFlip(row, test, candidates, target, new Set(made));
    if (best < 0) break;
    const a = candidates.sources[best];
    const b = candidates.targets[best];
    test?.follow([row.degree(a), row.degree(b)], row.hasEdge(a, b) ? -1 : 1);
    row.flip(a, b);
    made.push(best);
    await breathe();
  }
  return { ...selectFlips(candidates, made), epochs: made.length };
}

/** The place of the allowed flip that brings the goal nearest, the first on ties; −1 if none is allowed. */
function bestFlip(
  row: TwoStepRow,
  test: DegreeTest | null,
  { sources, targets }: Flips,
  { label, towards }: LocalTarget,
  made: ReadonlySet<number>,
): number {
  let best = -1;
  let nearest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < sources.length; k++) {
    const a = sources[k];
    const b = targets[k];
    const degrees = [row.degree(a), row.degree(b)] as const;
    const change = row.hasEdge(a, b) ? -1 : 1;
    const isolates = change < 0 && Math.min(...degrees) === 1;
    if (made.has(k) || isolates || (test && !test.accepts(degrees, change))) continue;
    const distance = distanceToGoal(row.logitsAfter(a, b), label, towards);
    if (distance < nearest) {
      best = k;
      nearest = distance;
    }
  }
  return best;
}
