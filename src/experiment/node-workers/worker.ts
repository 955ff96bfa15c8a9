// Where a thread that attacks nodes starts.
import { parentPort, workerData } from "node:worker_threads";
import { type ServeSetup, serveNodes } from "./serve-nodes.ts";

await serveNodes(workerData as ServeSetup, (message) => parentPort!.postMessage(message));
