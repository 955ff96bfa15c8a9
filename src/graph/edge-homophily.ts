import type { Graph } from "./graph.ts";

/** Share of edges that join nodes of the same class, among edges with two known labels. NaN if there are none. */
export function edgeHomophily({ adjacency, labels }: Graph): number {
  let same = 0;
  let known = 0;
  for (let i = 0; i < adjacency.numRows; i++) {
    if (labels[i] < 0) continue;
    for (let e = adjacency.rowPtr[i]; e < adjacency.rowPtr[i + 1]; e++) {
      const label = labels[adjacency.colIdx[e]];
      if (label >= 0) known++;
      if (label === labels[i]) same++;
    }
  }
  return same / known;
}
