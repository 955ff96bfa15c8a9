import type { LocalResult } from "../../attack/local/local-result.ts";
import type { NodeJob } from "./node-job.ts";
import { type SideBySideWatch, workSideBySide } from "./work-side-by-side.ts";

/**
 * Attacks nodes on several threads, each with its own models and kernels, which take nodes from one queue. Results come
 * in the order of the job and are the same for any number of threads, because each node has its own random numbers
 * (rule R1). If interrupted, all finished nodes are returned.
 */
export function attackSideBySide(
  job: NodeJob,
  threads: number,
  watch: SideBySideWatch<LocalResult> = {},
): AsyncGenerator<LocalResult> {
  const file = new URL(import.meta.url.replace(/side-by-side(\.[jt]s)$/, "worker$1"));
  return workSideBySide({ job, places: job.work.nodes.length, threads, file, name: "rgnn-nodes" }, watch);
}
