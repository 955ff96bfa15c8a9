import type { NodeAttackChoice } from "./node-attack-choice.ts";
import type { RunWatch } from "./trained-model.ts";

/** Of the nodes asked for, those that are not of the class to attack towards already; `labels` are those of `asked`. */
export function nodesToLead(
  asked: Int32Array,
  labels: ArrayLike<number>,
  { towards }: Pick<NodeAttackChoice, "towards">,
  { warn }: Pick<RunWatch, "warn">,
): Int32Array {
  const nodes = asked.filter((_, k) => labels[k] !== towards);
  const left = asked.length - nodes.length;
  if (left > 0) warn?.(`${left} of ${asked.length} nodes are of the class to attack towards already and are left out`);
  return nodes;
}
