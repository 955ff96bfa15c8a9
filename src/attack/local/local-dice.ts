import { defaultsOf, describeOptions, type OptionsOf, realNumber, resolveOptions } from "../../core/options/index.ts";
import type { Rng } from "../../core/rng.ts";
import { hasEntry } from "../../graph/csr.ts";
import type { Flips } from "../../graph/flips.ts";
import type { Graph } from "../../graph/graph.ts";
import type { Model } from "../../nn/model.ts";
import { type GraphView, hostGraph } from "../../tensor/index.ts";
import { roundHalfToEven } from "../budget.ts";
import { FlipSet } from "../choose-flips.ts";
import { directedRows } from "./attacked-graph.ts";
import { neighboursOf, sitesOf } from "./candidates.ts";
import { mayFlip } from "./check-local-flips.ts";
import { localAttackWith } from "./local-attack-with.ts";
import type { LocalResult } from "./local-result.ts";
import type { LocalTarget, LocalTask } from "./local-task.ts";

export const localDiceOptions = describeOptions({
  addRatio: realNumber({ from: 0, to: 1, default: 1, help: "share of the budget spent on insertions" }),
});

/** Options of {@link localDice}; `rgnn attack --attack local-dice --option list` explains each. */
export type LocalDiceOptions = OptionsOf<typeof localDiceOptions>;

/** Default options of {@link localDice}. */
export const localDiceDefaults: LocalDiceOptions = defaultsOf(localDiceOptions);

/**
 * DICE at single nodes: removes random edges to nodes of the same class, and inserts random ones to nodes of another. It knows all
 * labels but not the model. By default it only inserts, as the published experiments do. Where edges of the same class
 * run out, it inserts more; where there is nothing to insert either, it makes fewer flips.
 */
export async function* localDice(
  model: Model,
  view: GraphView,
  task: LocalTask,
  options: Partial<LocalDiceOptions> = {},
): AsyncGenerator<LocalResult, void> {
  const { addRatio } = resolveOptions("local-dice", localDiceOptions, options);
  yield* localAttackWith("local-dice", model, view, task, async () => {
    const graph = hostGraph(view, "local-dice");
    return { search: async (target) => localDiceFlips(graph, target, addRatio), dispose() {} };
  });
}

/** The flips alone, which need no model. */
export function localDiceFlips(
  graph: Graph,
  target: Pick<LocalTarget, "node" | "influence" | "budget" | "rng">,
  addRatio: number,
): Flips {
  const { budget, rng } = target;
  const chosen = new FlipSet();
  const removals = budget - roundHalfToEven(addRatio * budget);
  const inside = edgesInsideClass(graph, target);
  for (const at of rng.shuffle(Int32Array.from(inside.keys())).subarray(0, removals)) chosen.add(...inside[at]);
  insertBetween(chosen, graph, target, rng);
  return chosen.toFlips();
}

type Aim = Pick<LocalTarget, "node" | "influence" | "budget">;

/** Edges that may be flipped and whose ends have the same known class. */
function edgesInsideClass(graph: Graph, aim: Aim): (readonly [number, number])[] {
  const { labels } = graph;
  const rows = directedRows(graph);
  const edges = new Map<string, readonly [number, number]>(); // both ends may be sites
  for (const site of sitesOf(graph, aim)) {
    for (const other of neighboursOf(graph, site)) {
      const pair = named(graph, site, other);
      const isInside = labels[site] >= 0 && labels[site] === labels[other];
      if (isInside && mayFlip(rows, aim, ...pair)) edges.set(pair.join(), pair);
    }
  }
  return [...edges.values()];
}

/** Fills the budget with absent edges between nodes of different known classes, as far as there are any. */
function insertBetween(chosen: FlipSet, graph: Graph, aim: Aim, rng: Rng): void {
  const { labels, numNodes, adjacency } = graph;
  const rows = directedRows(graph);
  const sites = sitesOf(graph, aim);
  if (sites.length === 0) return;
  const patience = 1000 * (aim.budget + 1) + 100 * sites.length * numNodes; // the chance to miss the last pair is e⁻¹⁰⁰
  for (let tries = 0; chosen.size < aim.budget && tries < patience; tries++) {
    const site = sites[rng.integer(sites.length)];
    const other = rng.integer(numNodes);
    if (labels[site] < 0 || labels[other] < 0 || labels[site] === labels[other]) continue;
    if (hasEntry(adjacency, site, other)) continue;
    const pair = named(graph, site, other);
    if (mayFlip(rows, aim, ...pair)) chosen.add(...pair);
  }
}

/** The pair as flips name it. */
function named({ directed }: Graph, a: number, b: number): readonly [number, number] {
  return directed || a < b ? [a, b] : [b, a];
}
