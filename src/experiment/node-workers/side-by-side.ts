import type { LocalResult } from "../../attack/local/local-result.ts";
import type { NodeJob } from "./node-job.ts";
import { type SideBySideWatch, workSideBySide } from "./work-side-by-side.ts";

/**
 * Attacks nodes on several threads, each with models and kernels of its own, which take nodes from one queue. Results come in the
 * order of the job and are the same for any number of threads, because a node's random numbers are its own (rule R1). Ended early, all
 * nodes that are finished come back.
 */
export function attackSideBySide(
  job: NodeJob,
  threads: number,
  watch: SideBySideWatch<LocalResult> = {},
): AsyncGenerator<LocalResult> {
  const file = new URL(import.meta.url.replace(/side-by-side(\.[jt]s)$/, "worker$1"));
  return workSideBySide({ job, places: job.work.nodes.length, threads, file, name: "rgnn-nodes" }, watch);
}
