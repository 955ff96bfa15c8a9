// A thread that pushes rows of PageRank on a graph store.
import { parentPort, workerData } from "node:worker_threads";
import { UserError } from "../../core/errors.ts";
import { HashWorkspace } from "../../graph/push/push-workspace.ts";
import { pushRowsOf } from "../../ppr/push-rows.ts";
import { openStore } from "./open-store.ts";
import type { PushAnswer, PushRequest, PushWork } from "./push-pool.ts";

const { folder, access, mappings } = workerData as PushWork;
const store = openStore(folder, { access, mappings });
const work = new HashWorkspace();

parentPort!.on("message", ({ nodes, options }: PushRequest) => {
  const rows = answer(nodes, options);
  const arrays = "failed" in rows ? [] : [rows.rowPtr, rows.colIdx, rows.values];
  const moved = arrays.flatMap((array) => array?.buffer ?? []);
  parentPort!.postMessage(rows, moved as ArrayBuffer[]);
});

/** What is wrong with the store or the request goes back as text; the thread goes on. */
function answer(nodes: Int32Array, options: PushRequest["options"]): PushAnswer {
  try {
    return pushRowsOf(store, store.numNodes, nodes, options, work);
  } catch (error) {
    if (error instanceof UserError) return { failed: error.message };
    throw error;
  }
}
