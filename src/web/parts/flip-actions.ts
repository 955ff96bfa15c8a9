import type { SeenNode } from "rgnn/lab";

/** Whether each flip near a node adds or removes an edge. Flips outside of the node's surroundings count as added. */
export function flipActions(flips: readonly number[], about: SeenNode | null): ("add" | "remove")[] {
  const { edges, actions } = about?.surroundings ?? { edges: [], actions: [] };
  const known = new Map(actions.map((action, k) => [`${edges[2 * k]},${edges[2 * k + 1]}`, action]));
  return Array.from({ length: flips.length / 2 }, (_, k) => known.get(`${flips[2 * k]},${flips[2 * k + 1]}`) ?? "add");
}
