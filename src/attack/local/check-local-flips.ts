import { check } from "../../core/errors.ts";
import { checkFlips, type Flips } from "../../graph/flips.ts";
import { hasNeighbour } from "../../graph/graph-rows.ts";
import type { DirectedRows } from "./attacked-graph.ts";
import type { LocalTarget } from "./local-task.ts";

/**
 * Throws if a search returned more flips than allowed, pairs that cannot be flipped (rule B1), or flips elsewhere (rule
 * B4).
 */
export function checkLocalFlips(name: string, graph: DirectedRows, target: LocalTarget, flips: Flips): void {
  const { node, budget } = target;
  const { length } = flips.sources;
  check(length <= budget, () => `${name}: ${length} flips for node ${node}, more than its budget of ${budget}`);
  checkFlips(graph, flips);
  for (let k = 0; k < length; k++) {
    const source = flips.sources[k];
    const end = flips.targets[k];
    check(
      mayFlip(graph, target, source, end),
      () => `${name}: flip (${source}, ${end}) is not one that ${target.influence} allows for node ${node}`,
    );
  }
}

/** Whether an attack on this node may flip the pair. Row `source` gains or loses `end`; on undirected graphs also the reverse. */
export function mayFlip(
  graph: Pick<DirectedRows, "neighbours" | "directed">,
  { node, influence }: Pick<LocalTarget, "node" | "influence">,
  source: number,
  end: number,
): boolean {
  const { directed } = graph;
  const isAtNode = source === node || (!directed && end === node);
  if (influence === "direct") return isAtNode;
  if (influence === "influencer" && (source === node || end === node)) return false;
  return isAtNode || hasNeighbour(graph, node, source) || (!directed && hasNeighbour(graph, node, end));
}
