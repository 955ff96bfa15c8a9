import { rowsOfGraph } from "../../graph/graph-rows.ts";
import type { Model } from "../../nn/model.ts";
import { type GraphView, hostGraph } from "../../tensor/index.ts";
import { localAttackWith } from "./local-attack-with.ts";
import { type LocalPrbcdOptions, resolveLocalPrbcd } from "./local-prbcd-options.ts";
import type { LocalResult } from "./local-result.ts";
import type { LocalTask } from "./local-task.ts";
import { NodeSearch } from "./prbcd/node-search.ts";
import type { RelaxedVictim } from "./prbcd/relaxed-node.ts";
import { relaxedVictim } from "./prbcd/relaxed-victim.ts";

/**
 * PR-BCD on the edges of one node at a time (Geisler et al. 2021, section 4). Each node is attacked on the clean graph, with at
 * most its budget of flips at its own edges, or at those of its neighbours.
 *
 * Works on every model that is differentiable by edges, and on PPRGo and its relatives through the closed-form update of a
 * PageRank row. Time and memory per node do not grow with n² anywhere; on GCN, SGC and PPRGo they depend on the block and the
 * surroundings of the node alone.
 *
 * @example
 * const task = { nodes: [17, 42], budget: { share: 0.5 }, rng: new Rng(0) };
 * for await (const { node, success } of localPrbcd(model, view, task)) console.log(node, success);
 */
export function localPrbcd(
  model: Model,
  view: GraphView,
  task: LocalTask,
  options: Partial<LocalPrbcdOptions> = {},
): AsyncGenerator<LocalResult, void> {
  const config = resolveLocalPrbcd(options);
  return localAttackWith("local-prbcd", model, view, task, async () => {
    const graph = hostGraph(view, "local-prbcd");
    const rows = { ...rowsOfGraph(graph), directed: graph.directed };
    const victim = await relaxedVictim(model, view, config);
    const nodes = new NodeSearch(rows, victim, withEvaluations(config, options, victim));
    return { search: (target) => nodes.search(target), dispose: () => victim.dispose() };
  });
}

/** Evaluations that are passes over the whole graph are counted more carefully. */
const DEAR_EVALUATIONS = 60;

function withEvaluations(
  config: LocalPrbcdOptions,
  options: Partial<LocalPrbcdOptions>,
  { isCheap }: RelaxedVictim,
): LocalPrbcdOptions {
  if (isCheap || options.evaluations !== undefined) return config;
  return { ...config, evaluations: Math.min(config.evaluations, DEAR_EVALUATIONS) };
}
