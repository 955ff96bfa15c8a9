import type { Flips } from "../flips.ts";
import type { Neighbours } from "./neighbours.ts";

/**
 * A graph with some pairs toggled, without rebuilding it: only rows at the flips differ. Rows ascend, so that a push gives the
 * same bits as on the rebuilt graph.
 */
export function flippedNeighbours(graph: Neighbours, { sources, targets }: Flips, directed: boolean): Neighbours {
  const toggled = new Map<number, Set<number>>();
  const toggle = (row: number, column: number) => {
    const columns = toggled.get(row) ?? new Set(Array.from(graph.neighbours(row)));
    if (!columns.delete(column)) columns.add(column);
    toggled.set(row, columns);
  };
  for (let k = 0; k < sources.length; k++) {
    toggle(sources[k], targets[k]);
    if (!directed) toggle(targets[k], sources[k]);
  }
  const rows = new Map([...toggled].map(([row, columns]) => [row, [...columns].sort((a, b) => a - b)]));
  return {
    degree: (v) => rows.get(v)?.length ?? graph.degree(v),
    neighbours: (v) => rows.get(v) ?? graph.neighbours(v),
  };
}
