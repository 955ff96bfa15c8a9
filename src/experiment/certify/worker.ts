// Entry point of a thread that counts votes.
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadSetup } from "../node-workers/work-side-by-side.ts";
import { serveVotes } from "./serve-votes.ts";
import type { VoteJob } from "./vote-job.ts";

await serveVotes(workerData as ThreadSetup<VoteJob>, (message) => parentPort!.postMessage(message));
