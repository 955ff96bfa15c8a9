// Where a thread of the pool starts in Node.
import { parentPort, workerData } from "node:worker_threads";
import { serve, type WorkerSetup } from "./serve.ts";

serve(workerData as WorkerSetup, () => parentPort!.postMessage("ready"));
