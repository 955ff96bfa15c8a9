import { createWasm } from "../../backend/wasm/wasm.ts";
import { Voters } from "../../certify/voters.ts";
import { bytesSource } from "../../data/formats/byte-source.ts";
import { modelKinds } from "../../defense/model-kinds.ts";
import { Graph } from "../../graph/graph.ts";
import { restoreModel } from "../../nn/weights/restore-model.ts";
import { decodeWeights } from "../../nn/weights/weights.ts";
import { toDevice } from "../../tensor/index.ts";
import { packError } from "../node-workers/thread-error.ts";
import { WorkQueue } from "../node-workers/work-queue.ts";
import type { ThreadMessage, ThreadSetup } from "../node-workers/work-side-by-side.ts";
import type { VoteJob } from "./vote-job.ts";

/** The votes over one batch. */
export interface BatchVotes {
  /** Index of the batch. */
  readonly place: number;
  /** Votes of each model, row by row. */
  readonly counts: readonly Uint32Array[];
}

/**
 * Counts votes over batches from a queue until it is empty. Kernels use one thread: the other cores count other
 * batches.
 */
export async function serveVotes(
  { job, queue: shared }: ThreadSetup<VoteJob>,
  post: (message: ThreadMessage<BatchVotes>) => void,
): Promise<void> {
  const queue = new WorkQueue(job.batches.length, shared);
  const backend = await createWasm({ threads: 1 });
  let place: number | null = null;
  try {
    const view = toDevice(backend, new Graph(job.graph));
    const models = job.models.map((weights) =>
      restoreModel(backend, decodeWeights(bytesSource(weights, "weights")), modelKinds),
    );
    const voters = new Voters(models, view, job.noise, job.noiseSeed);
    for (place = queue.take(); place !== null && !queue.aborted; place = queue.take()) {
      const { first, end } = job.batches[place];
      const votes = await voters.count(first, end);
      const counts = votes.map((ofModel) => ofModel.counts);
      post({ kind: "result", place, result: { place, counts } });
    }
  } catch (error) {
    queue.close();
    post({ kind: "error", place, error: packError(error) });
  }
  post({ kind: "end", peakBytes: backend.memory.peak });
  await backend.close();
}
