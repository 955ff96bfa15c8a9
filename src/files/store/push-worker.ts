// A thread that pushes rows of PageRank on a graph store, or fetches features.
import { parentPort, workerData } from "node:worker_threads";
import { UserError } from "../../core/errors.ts";
import { HashWorkspace } from "../../graph/push/push-workspace.ts";
import { pushRowsOf } from "../../ppr/push-rows.ts";
import { openStore } from "./open-store.ts";
import { type PushAnswer, type PushRequest, type PushWork, READY } from "./push-messages.ts";

const { folder, access, mappings } = workerData as PushWork;
const store = openStore(folder, { access, mappings });
const work = new HashWorkspace();

parentPort!.on("message", ({ nodes, options }: PushRequest) => {
  const found = answer(nodes, options);
  const moved = arraysOf(found).map(({ buffer }) => buffer as ArrayBuffer);
  parentPort!.postMessage(found, moved);
});

parentPort!.postMessage(READY);

/** The arrays of an answer, whose buffers are transferred instead of copied. */
function arraysOf(found: PushAnswer): ArrayBufferView[] {
  if ("failed" in found) return [];
  return "data" in found ? [found.data] : [found.rowPtr, found.colIdx, found.values!];
}

/** Answers a request. An error in the store or the request is sent back as text, and the thread goes on. */
function answer(nodes: Int32Array, options: PushRequest["options"]): PushAnswer {
  try {
    return options ? pushRowsOf(store, store.numNodes, nodes, options, work) : store.features(nodes);
  } catch (error) {
    if (error instanceof UserError) return { failed: error.message };
    throw error;
  }
}
