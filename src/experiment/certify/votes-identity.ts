import { createHash } from "node:crypto";
import { type Graph, isSparse } from "../../graph/graph.ts";
import type { Noise } from "../../graph/noise/noise.ts";

/**
 * Hash of what votes are about: the graph with its features, the noise and its seed, and the models' weights. Where the
 * noisy graphs were drawn is kept separately (`VotesFile`): votes may be read anywhere.
 */
export function votesIdentity(
  graph: Graph,
  { noise, noiseSeed }: { readonly noise: Noise; readonly noiseSeed: number },
  weights: readonly Uint8Array[],
): string {
  const { adjacency, features, directed } = graph;
  const hash = createHash("sha256");
  hash.update(JSON.stringify({ noise, noiseSeed, directed, numClasses: graph.numClasses }));
  const stored = isSparse(features) ? [features.rowPtr, features.colIdx, features.values] : [features.data];
  for (const array of [adjacency.rowPtr, adjacency.colIdx, ...stored, ...weights]) {
    if (array) hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  }
  return hash.digest("hex");
}
