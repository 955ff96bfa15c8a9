import type { VoteBatch } from "../../certify/vote-batches.ts";
import type { Graph, GraphParts } from "../../graph/graph.ts";
import type { Noise } from "../../graph/noise/noise.ts";
import { encodeWeights } from "../../nn/weights/weights.ts";
import { shareGraph } from "../node-workers/shared-graph.ts";
import type { NamedModel } from "./named-model.ts";

/** A job of counting votes, in a form that can be sent to threads: numbers, texts and arrays. */
export interface VoteJob {
  readonly graph: GraphParts;
  readonly noise: Noise;
  /** Seed of the noisy graphs. */
  readonly noiseSeed: number;
  /** Saved weights of each model. */
  readonly models: readonly Uint8Array[];
  readonly batches: readonly VoteBatch[];
}

/** The weights of models as saved: other threads restore models from them, and votes are identified by them. */
export function weightsOf(models: readonly NamedModel[], graph: Graph): Promise<Uint8Array[]> {
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  return Promise.all(models.map(({ kind, model }) => encodeWeights(model, { kind, sizes })));
}

/** The job with its graph in memory that threads share. */
export function shareJob(graph: Graph, job: Omit<VoteJob, "graph">): VoteJob {
  return { ...job, graph: shareGraph(graph) };
}
