import { localAttacks } from "../../attack/local/local-attacks.ts";
import type { LocalResult } from "../../attack/local/local-result.ts";
import type { Backend } from "../../backend/backend.ts";
import { createWasm } from "../../backend/wasm/wasm.ts";
import { parseOptions } from "../../core/options/index.ts";
import { bytesSource } from "../../data/formats/byte-source.ts";
import { modelKinds } from "../../defense/model-kinds.ts";
import { Graph } from "../../graph/graph.ts";
import type { Model } from "../../nn/model.ts";
import { restoreModel } from "../../nn/weights/restore-model.ts";
import { decodeWeights } from "../../nn/weights/weights.ts";
import { toDevice } from "../../tensor/index.ts";
import { type NodeAttack, workInTurn } from "../attack-in-turn.ts";
import type { NodeJob } from "./node-job.ts";
import { packError } from "./thread-error.ts";
import { WorkQueue } from "./work-queue.ts";
import type { ThreadMessage, ThreadSetup } from "./work-side-by-side.ts";

/**
 * Attacks nodes from a queue until it is empty. Kernels use one thread: a single node is too little work to be split,
 * and the other cores attack other nodes.
 */
export async function serveNodes(
  { job, queue: shared }: ThreadSetup<NodeJob>,
  post: (message: ThreadMessage<LocalResult>) => void,
): Promise<void> {
  const queue = new WorkQueue(job.work.nodes.length, shared);
  const backend = await createWasm({ threads: 1 });
  let place: number | null = null;
  function* places(): Generator<number> {
    for (place = queue.take(); place !== null; place = queue.take()) yield place;
  }
  try {
    for await (const result of workInTurn(openAttack(job, backend), job.work, { places: places(), signal: queue }))
      post({ kind: "result", place: place!, result });
  } catch (error) {
    queue.close();
    post({ kind: "error", place, error: packError(error) });
  }
  post({ kind: "end", peakBytes: backend.memory.peak });
  await backend.close();
}

function openAttack(job: NodeJob, backend: Backend): NodeAttack {
  const { dataset, split, choice } = job;
  const graph = new Graph(job.graph);
  const opened = { dataset, backend, graph, view: toDevice(backend, graph), split: () => split };
  const victim = modelOf(backend, job.victim);
  const surrogate = job.surrogate ? modelOf(backend, job.surrogate) : victim;
  const options = parseOptions(choice.attack, localAttacks[choice.attack].options, job.options);
  return { opened, choice: { ...choice, options }, victim, surrogate };
}

function modelOf(backend: Backend, weights: Uint8Array): Model {
  return restoreModel(backend, decodeWeights(bytesSource(weights, "weights")), modelKinds);
}
