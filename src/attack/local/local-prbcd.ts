import type { Model } from "../../nn/model.ts";
import type { Pprgo } from "../../nn/models/pprgo.ts";
import { pushRowsOf } from "../../ppr/push-rows.ts";
import type { PushNodes } from "../../ppr/rows-on-demand.ts";
import { type GraphView, hostGraph } from "../../tensor/index.ts";
import { type AttackedGraph, directedRows } from "./attacked-graph.ts";
import { localAttackOnRows, localAttackWith } from "./local-attack-with.ts";
import { type LocalPrbcdOptions, resolveLocalPrbcd } from "./local-prbcd-options.ts";
import type { LocalResult } from "./local-result.ts";
import type { LocalTask } from "./local-task.ts";
import type { FeatureSource } from "./prbcd/encoded-slots.ts";
import { NodeSearch } from "./prbcd/node-search.ts";
import { PprgoVictim } from "./prbcd/pprgo-victim.ts";
import type { RelaxedVictim } from "./prbcd/relaxed-node.ts";
import { relaxedVictim } from "./prbcd/relaxed-victim.ts";

/**
 * PR-BCD on the edges of one node at a time (Geisler et al. 2021, section 4). Each node is attacked on the clean graph,
 * with at most its budget of flips at its own edges, or at those of its neighbours.
 *
 * Works on every model that is differentiable by edges, and on PPRGo and its relatives through the closed-form update
 * of a PageRank row. Time and memory per node do not grow with n² anywhere; on GCN, SGC and PPRGo they depend only on
 * the block and the surroundings of the node.
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
    const rows = directedRows(hostGraph(view, "local-prbcd"));
    const victim = await relaxedVictim(model, view, config);
    const nodes = new NodeSearch(rows, victim, withEvaluations(config, options, victim));
    return { search: (target) => nodes.search(target), dispose: () => victim.dispose() };
  });
}

/** How a graph that may be larger than memory is read for an attack. */
export interface RowSource {
  /** Rows of PageRank of the clean graph. Default: pushed on this thread. */
  readonly push?: PushNodes;
  /** Default: those of the graph. */
  readonly features?: FeatureSource;
}

/**
 * {@link localPrbcd} on PPRGo or a relative, for a graph that may be larger than memory: it reads rows and features
 * only as far as the node, its neighbours and the block need them.
 *
 * @example
 * const store = openStore("papers.store");
 * const sizes = { features: store.header.numFeatures, classes: store.header.numClasses };
 * const pprgo = new Pprgo(backend, sizes, pprgoDefaults, new Rng(0)); // and its trained weights
 * const task = { nodes: [17, 42], budget: { share: 0.5 }, rng: new Rng(0) };
 * for await (const { node, success } of localPrbcdOnRows(pprgo, store, task)) console.log(node, success);
 */
export function localPrbcdOnRows(
  model: Pprgo,
  graph: AttackedGraph,
  task: Omit<LocalTask, "victim" | "evaluateOn">,
  options: Partial<LocalPrbcdOptions> = {},
  source: RowSource = {},
): AsyncGenerator<LocalResult, void> {
  const config = resolveLocalPrbcd(options);
  const { push = (nodes) => pushRowsOf(graph, graph.numNodes, nodes, model.pageRank), features } = source;
  return localAttackOnRows("local-prbcd", model, graph, task, async () => {
    const { blockSize, denominator } = config;
    const victim = new PprgoVictim(model, graph, { push, blockSize, denominator, ...(features && { features }) });
    const nodes = new NodeSearch(graph, victim, config);
    return { search: (target) => nodes.search(target), dispose: () => victim.dispose() };
  });
}

/** Most evaluations if each is a pass over the whole graph and the caller sets no number. */
const DEAR_EVALUATIONS = 60;

function withEvaluations(
  config: LocalPrbcdOptions,
  options: Partial<LocalPrbcdOptions>,
  { isCheap }: RelaxedVictim,
): LocalPrbcdOptions {
  if (isCheap || options.evaluations !== undefined) return config;
  return { ...config, evaluations: Math.min(config.evaluations, DEAR_EVALUATIONS) };
}
