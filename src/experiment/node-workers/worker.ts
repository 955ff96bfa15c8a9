// Entry point of a thread that attacks nodes.
import { parentPort, workerData } from "node:worker_threads";
import type { NodeJob } from "./node-job.ts";
import { serveNodes } from "./serve-nodes.ts";
import type { ThreadSetup } from "./work-side-by-side.ts";

await serveNodes(workerData as ThreadSetup<NodeJob>, (message) => parentPort!.postMessage(message));
