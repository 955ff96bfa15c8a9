import type { Buffer } from "../backend/backend.ts";
import type { Timed } from "./measure.ts";
import type { Workload } from "./workload.ts";

/** The resource that sets the floor of a kernel, and how much of it the kernel needs: bytes, flops or random words. */
export interface Need {
  readonly bound: "gather" | "shared" | "cached" | "stream" | "flops" | "words";
  readonly amount: number;
}

/** One kernel on one shape. */
export interface BenchCase extends Timed {
  readonly kernel: string;
  readonly need: Need;
  /** Checks the result of the last run: what is wrong with it, or null. */
  check(): Promise<string | null>;
  /** Buffers that the case allocated. */
  readonly buffers: readonly Buffer[];
}

export type MakeCase = (work: Workload) => BenchCase;

/** Matrices below `CACHED_BYTES` stay in the cache of a core, and those below `SHARED_BYTES` in the shared cache. */
const CACHED_BYTES = 2 ** 20;
const SHARED_BYTES = 16 * 2 ** 20;

/** The need of reading `rows` rows of `cols` floats in random order from a matrix of `numRows` rows. */
export function gatherNeed(rows: number, cols: number, numRows: number): Need {
  const bytes = 4 * numRows * cols;
  const bound = bytes < CACHED_BYTES ? "cached" : bytes < SHARED_BYTES ? "shared" : "gather";
  return { bound, amount: 4 * rows * cols };
}

/** The same for the matrix of a workload. */
export function gathered(work: Workload, rows: number): Need {
  return gatherNeed(rows, work.shape.cols, work.shape.numNodes);
}
