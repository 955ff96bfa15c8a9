import type { Graph } from "../graph/graph.ts";
import type { FlipNoise } from "../graph/noise/noise.ts";

/** How many entries the adjacency of a noisy graph has, self loops included. */
export interface EntryCount {
  readonly mean: number;
  readonly variance: number;
}

export function entryCount({ numNodes, numEdges }: Graph, { add, delete: drop }: FlipNoise): EntryCount {
  const absent = (numNodes * (numNodes - 1)) / 2 - numEdges;
  return {
    mean: numNodes + 2 * (numEdges * (1 - drop) + absent * add),
    variance: 4 * (numEdges * drop * (1 - drop) + absent * add * (1 - add)),
  };
}

/** Standard deviations above the mean for which there is room: chance exceeds them once in 10^15 draws. */
const DEVIATIONS = 8;
/** A few more, because the numbers of small graphs have longer tails. */
const SPARE = 64;

/** Most entries that so many noisy graphs have together, but for negligible chances. */
export function roomFor({ mean, variance }: EntryCount, graphs: number): number {
  return Math.ceil(graphs * mean + DEVIATIONS * Math.sqrt(graphs * variance)) + SPARE;
}
