import { BudgetError, check } from "../core/errors.ts";
import { defaultsOf, describeOptions, type OptionsOf, realNumber, resolveOptions } from "../core/options/index.ts";
import { silent } from "../core/progress.ts";
import type { Rng } from "../core/rng.ts";
import { hasEntry } from "../graph/csr.ts";
import type { Flips } from "../graph/flips.ts";
import type { Graph } from "../graph/graph.ts";
import type { Model } from "../nn/model.ts";
import { type GraphView, hostGraph } from "../tensor/index.ts";
import type { AttackResult, AttackTask } from "./attack.ts";
import { attackWith } from "./attack-with.ts";
import { FlipSet } from "./choose-flips.ts";
import { Allowance } from "./constraints/allowance.ts";
import { spaceOf } from "./constraints/allowed-pairs.ts";
import type { Constraints } from "./constraints/constraints.ts";
import { polished, polishOption } from "./polish/polished.ts";

export const diceOptions = describeOptions({
  addRatio: realNumber({ from: 0, to: 1, default: 0.6, help: "share of the budget spent on insertions" }),
  polish: polishOption(0),
});

/** Options of {@link dice}; `rgnn attack --attack dice --option list` explains each. */
export type DiceOptions = OptionsOf<typeof diceOptions>;

/** Default options of {@link dice}. */
export const diceDefaults: DiceOptions = defaultsOf(diceOptions);

/**
 * DICE (Waniek et al. 2018): disconnect internally, connect externally. Removes random edges inside classes and inserts
 * random ones between classes. It knows all labels but not the model: the baseline that any attack must beat. If
 * constraints allow additions only, or removals only, these get the whole budget; if constraints allow too few flips,
 * fewer come back.
 */
export async function dice(
  model: Model,
  view: GraphView,
  task: AttackTask,
  options: Partial<DiceOptions> = {},
): Promise<AttackResult> {
  const { addRatio, polish } = resolveOptions("dice", diceOptions, options);
  const search = async () => {
    const { budget, rng, constraints } = task;
    const graph = hostGraph(view, "dice");
    const flips = constraints
      ? diceFlipsWithin(constraints, budget, addRatio, rng)
      : diceFlips(graph, budget, addRatio, rng);
    (task.progress ?? silent).update(1, 1);
    return { flips, trace: [] };
  };
  return attackWith("dice", model, view, task, polished(task, { polish }, search));
}

/** The flips alone, which need no model. */
export function diceFlips(graph: Graph, budget: number, addRatio: number, rng: Rng): Flips {
  const inside = edgesInsideClasses(graph);
  const additions = Math.floor(addRatio * budget);
  const removals = budget - additions;
  check(
    removals <= inside.length,
    () =>
      `dice: ${removals} removals, but only ${inside.length} edges join equal labels; lower the budget or raise addRatio`,
    BudgetError,
  );
  const chosen = new FlipSet();
  removeInside(chosen, inside, removals, rng);
  insertBetween(chosen, graph, additions, rng);
  return chosen.toFlips();
}

/** {@link diceFlips} within constraints. */
export function diceFlipsWithin(constraints: Constraints, budget: number, addRatio: number, rng: Rng): Flips {
  const { graph, rules } = constraints;
  const share = rules.only ? (rules.only === "additions" ? 1 : 0) : addRatio;
  const additions = Math.floor(share * budget);
  const allowance = new Allowance(constraints);
  const inside = edgesInsideClasses(graph);
  const order = rng.shuffle(Int32Array.from(inside.keys()));
  const edges = {
    sources: order.map((at) => inside[at][0]),
    targets: order.map((at) => inside[at][1]),
  };
  const removed = allowance.takeFirst(edges, budget - additions);
  const chosen = new FlipSet();
  for (let k = 0; k < removed.sources.length; k++) chosen.add(removed.sources[k], removed.targets[k]);
  insertWithin(chosen, constraints, { additions, allowance }, rng);
  return chosen.toFlips();
}

/**
 * Inserts absent edges between nodes of different known classes, as far as permitted; stops early if too many draws
 * fail.
 */
function insertWithin(
  chosen: FlipSet,
  constraints: Constraints,
  { additions, allowance }: { additions: number; allowance: Allowance },
  rng: Rng,
): void {
  const { labels, adjacency } = constraints.graph;
  const space = spaceOf(constraints);
  const goal = chosen.size + additions;
  const patience = 1000 * (additions + 1);
  for (let tries = 0; chosen.size < goal && tries < patience; tries++) {
    const [a, b] = space.at(rng.integer(space.size));
    if (labels[a] < 0 || labels[b] < 0 || labels[a] === labels[b] || hasEntry(adjacency, a, b)) continue;
    if (!chosen.has(a, b) && allowance.take(a, b)) chosen.add(a, b);
  }
}

/** Chooses `count` random edges of `inside`, each once, for removal; changes the order of `inside`. */
function removeInside(chosen: FlipSet, inside: (readonly [number, number])[], count: number, rng: Rng): void {
  for (let k = 0; k < count; k++) {
    const at = k + rng.integer(inside.length - k); // partial shuffle: the first k are taken
    [inside[k], inside[at]] = [inside[at], inside[k]];
    chosen.add(...inside[k]);
  }
}

/** Inserts absent edges between random nodes of different known classes. */
function insertBetween(chosen: FlipSet, graph: Graph, count: number, rng: Rng): void {
  const { numNodes, labels, adjacency, directed } = graph;
  const goal = chosen.size + count;
  const patience = 1000 * (count + 1) + 100 * numNodes;
  for (let tries = 0; chosen.size < goal; tries++) {
    check(
      tries < patience,
      () => `dice: found only ${chosen.size} of ${goal} flips in ${patience} draws; lower the budget`,
      BudgetError,
    );
    const a = rng.integer(numNodes);
    const b = rng.integer(numNodes);
    if (labels[a] < 0 || labels[b] < 0 || labels[a] === labels[b] || hasEntry(adjacency, a, b)) continue;
    if (directed || a < b) chosen.add(a, b);
    else chosen.add(b, a);
  }
}

/** Edges between nodes of equal known labels, each once. */
function edgesInsideClasses({ adjacency, labels, directed }: Graph): (readonly [number, number])[] {
  const edges: (readonly [number, number])[] = [];
  for (let i = 0; i < adjacency.numRows; i++) {
    for (let e = adjacency.rowPtr[i]; e < adjacency.rowPtr[i + 1]; e++) {
      const j = adjacency.colIdx[e];
      if ((directed || i < j) && labels[i] >= 0 && labels[i] === labels[j]) edges.push([i, j]);
    }
  }
  return edges;
}
