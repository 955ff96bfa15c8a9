import type { AttackTask } from "../attack.ts";
import { classifyAfter } from "../target-outcomes.ts";
import type { Victim } from "../victim.ts";
import type { Incumbent } from "./incumbent.ts";

/** The margin at which a node is drawn half as often as one that is as good as lost. */
const HALF = 0.3;

/** Attacked nodes with the weights by which mutation draws them. */
export interface OpenNodes {
  readonly nodes: ArrayLike<number>;
  readonly weights: Float64Array;
}

/**
 * Weights by which attacked nodes are drawn: only those that still count against the attacker, small margins more
 * often. If there are none, all nodes have the same weight.
 */
export async function openNodes(victim: Victim, { nodes }: AttackTask, incumbent: Incumbent): Promise<OpenNodes> {
  const known = incumbent.standing.margins();
  const margins = known ? Float64Array.from(nodes, (node) => known[node]) : await marginsAt(victim, nodes, incumbent);
  const weights = margins.map((margin) => (margin > 0 ? HALF / (HALF + margin) : 0));
  return { nodes, weights: weights.some((weight) => weight > 0) ? weights : weights.fill(1) };
}

/** How far each node is from where the attacker wants it, by a forward pass. */
async function marginsAt(victim: Victim, nodes: ArrayLike<number>, incumbent: Incumbent): Promise<Float64Array> {
  const { model, view, objective } = victim;
  const flips = incumbent.keys.toFlips(incumbent.flips);
  const { margins, predictions } = await classifyAfter(model, view, flips, nodes, objective);
  const { perNode } = objective;
  if (perNode === null) return Float64Array.from(margins, Math.abs); // nodes near a boundary can be moved
  const { towards } = perNode;
  return Float64Array.from(margins, (margin, k) => (towards === null ? margin : Number(predictions[k] !== towards)));
}
