import { createHash } from "node:crypto";
import type { Drawing } from "../../certify/voters.ts";
import { type Graph, isSparse } from "../../graph/graph.ts";
import type { Noise } from "../../graph/noise/noise.ts";

/** Which noisy graphs are voted on. */
export interface VotedGraphs {
  readonly noise: Noise;
  readonly noiseSeed: number;
  /** Of each model. */
  readonly drawings: readonly Drawing[];
}

/**
 * Names all that decides what votes there are: the graph with its features, the noise and its seed, and the models' weights. And where the noisy
 * graphs are drawn: a sample from both places would be a good one, but which one would depend on where a run was stopped (rule R1).
 */
export function votesIdentity(
  graph: Graph,
  { noise, noiseSeed, drawings }: VotedGraphs,
  weights: readonly Uint8Array[],
): string {
  const { adjacency, features, directed } = graph;
  const places = drawings.every((drawing) => drawing === "host") ? {} : { drawings };
  const hash = createHash("sha256");
  hash.update(JSON.stringify({ noise, noiseSeed, directed, numClasses: graph.numClasses, ...places }));
  const stored = isSparse(features) ? [features.rowPtr, features.colIdx, features.values] : [features.data];
  for (const array of [adjacency.rowPtr, adjacency.colIdx, ...stored, ...weights]) {
    if (array) hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  }
  return hash.digest("hex");
}
