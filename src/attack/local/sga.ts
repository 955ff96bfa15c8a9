import { breathe } from "../../core/breathe.ts";
import { resolveOptions } from "../../core/options/index.ts";
import { noFlips } from "../../graph/flips.ts";
import type { Graph } from "../../graph/graph.ts";
import type { Model } from "../../nn/model.ts";
import type { GraphView } from "../../tensor/index.ts";
import { directedRows } from "./attacked-graph.ts";
import { neighboursOf, sitesOf } from "./candidates.ts";
import { mayFlip } from "./check-local-flips.ts";
import { type LinearTwoStep, linearTwoStep } from "./linear-two-step.ts";
import { localAttackWith } from "./local-attack-with.ts";
import type { LocalResult } from "./local-result.ts";
import type { FoundFlips, LocalTarget, LocalTask } from "./local-task.ts";
import { largest } from "./node-outcome.ts";
import { type SgaOptions, sgaOptions } from "./sga-options.ts";
import { TwoStepGradient } from "./two-step-gradient.ts";
import { TwoStepRow } from "./two-step-row.ts";

/**
 * Simplified gradient attack (Li et al. 2021): each step makes the flip with the largest gradient of a linear model of two steps, among
 * edges near the node and insertions to nodes of the strongest wrong class, of which only the most promising are kept. `model` is
 * that linear model, SGC or a linear GCN; name another one as `victim` in the task to see what the flips do to it.
 *
 * The published attack also removes edges between neighbours of the node and others: ask for `influence: "both"`.
 *
 * @example
 * const task = { nodes: [17], budget: { share: 1 }, rng: new Rng(0), influence: "both" } as const;
 * for await (const { node, success } of sga(model, view, task)) console.log(node, success);
 */
export async function* sga(
  model: Model,
  view: GraphView,
  task: LocalTask,
  options: Partial<SgaOptions> = {},
): AsyncGenerator<LocalResult, void> {
  const config = resolveOptions("sga", sgaOptions, options);
  yield* localAttackWith("sga", model, view, { ...task, evaluateOn: config.evaluateOn }, async () => {
    const linear = await linearTwoStep("sga", model, view);
    return { search: (target) => search(linear, target, config), dispose() {} };
  });
}

async function search(linear: LinearTwoStep, target: LocalTarget, config: SgaOptions): Promise<FoundFlips> {
  const { graph } = linear;
  const { label, budget, signal } = target;
  const row = new TwoStepRow(linear, target.node);
  const rival = target.towards ?? strongestWrongClass(linear, row, label, config);
  if (rival < 0) return noFlips; // there is no other class
  const gradient = new TwoStepGradient(linear, row, { from: label, to: rival }, config.context);
  const candidates = [
    ...edgesNear(graph, target),
    ...promising(gradient, insertions(graph, target, rival), budget + 1),
  ];
  const made = new Set<Pair>();
  let epochs = 0;
  for (; epochs < budget && !signal?.aborted; epochs++) {
    const open = config.repeatFlips ? candidates : candidates.filter((pair) => !made.has(pair));
    const best = strongest(gradient, open);
    if (!best) break;
    const [a, b] = best;
    if (made.has(best)) row.shiftDegrees(a, b, row.hasEdge(a, b) ? 1 : -1);
    else row.flip(a, b);
    made.add(best);
    await breathe();
  }
  const sources = Int32Array.from(made, ([a]) => a);
  const targets = Int32Array.from(made, ([, b]) => b);
  return { sources, targets, epochs };
}

/** Two nodes, the smaller first. */
type Pair = readonly [number, number];

function strongestWrongClass(linear: LinearTwoStep, row: TwoStepRow, label: number, { rival }: SgaOptions): number {
  const logits = rival === "prediction" ? row.logits : unnormalisedLogits(linear, row.node);
  const { bias } = linear;
  return largest(bias ? logits.map((logit, c) => logit + bias[c]) : logits, label);
}

/** A²·F at the node. */
function unnormalisedLogits({ graph, scores, numClasses }: LinearTwoStep, node: number): Float64Array {
  const logits = new Float64Array(numClasses);
  for (const w of neighboursOf(graph, node)) {
    for (const x of neighboursOf(graph, w)) {
      for (let c = 0; c < numClasses; c++) logits[c] += scores[x * numClasses + c];
    }
  }
  return logits;
}

/** Edges that may be removed. Farther ones, which the published subgraph also holds, have a gradient of 0. */
function edgesNear(graph: Graph, target: LocalTarget): Pair[] {
  const rows = directedRows(graph);
  const edges = new Map<string, Pair>(); // both ends may be sites
  for (const site of sitesOf(graph, target)) {
    for (const other of neighboursOf(graph, site)) {
      const pair: Pair = [Math.min(site, other), Math.max(site, other)];
      if (mayFlip(rows, target, ...pair)) edges.set(pair.join(), pair);
    }
  }
  return [...edges.values()];
}

/** Absent edges to nodes of the strongest wrong class: of the node itself, or of its neighbours if only these may be touched. */
function insertions(graph: Graph, target: LocalTarget, rival: number): Pair[] {
  const { labels } = graph;
  const { node, influence } = target;
  const near = new Set([node, ...neighboursOf(graph, node)]);
  const pairs: Pair[] = [];
  for (const site of influence === "influencer" ? neighboursOf(graph, node) : [node]) {
    const linked = new Set(neighboursOf(graph, site));
    for (let v = 0; v < graph.numNodes; v++) {
      if (labels[v] !== rival || near.has(v) || linked.has(v)) continue;
      pairs.push([Math.min(site, v), Math.max(site, v)]);
    }
  }
  return pairs;
}

/** The pairs with the largest gradients. */
function promising(gradient: TwoStepGradient, pairs: readonly Pair[], count: number): Pair[] {
  const slopes = new Map(pairs.map((pair) => [pair, gradient.at(...pair)]));
  return [...pairs].sort((a, b) => slopes.get(b)! - slopes.get(a)!).slice(0, count);
}

/** The pair whose flip promises most, the first on ties. */
function strongest(gradient: TwoStepGradient, pairs: readonly Pair[]): Pair | null {
  let best: Pair | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  for (const pair of pairs) {
    const score = gradient.ofFlip(...pair);
    if (score <= highest) continue;
    best = pair;
    highest = score;
  }
  return best;
}
