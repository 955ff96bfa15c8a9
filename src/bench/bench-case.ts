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
  /** What is wrong with the answer of the last run, or null. */
  check(): Promise<string | null>;
  /** What the case allocated. */
  readonly buffers: readonly Buffer[];
}

export type MakeCase = (work: Workload) => BenchCase;

/** Matrices up to this size stay in the cache of a core, and up to that size in the one that cores share. */
const CACHED_BYTES = 2 ** 20;
const SHARED_BYTES = 16 * 2 ** 20;

/** What it takes to read `rows` rows of `cols` floats in any order, out of a matrix of `numRows` rows. */
export function gatherNeed(rows: number, cols: number, numRows: number): Need {
  const bytes = 4 * numRows * cols;
  const bound = bytes < CACHED_BYTES ? "cached" : bytes < SHARED_BYTES ? "shared" : "gather";
  return { bound, amount: 4 * rows * cols };
}

/** The same for the matrix of a workload. */
export function gathered(work: Workload, rows: number): Need {
  return gatherNeed(rows, work.shape.cols, work.shape.numNodes);
}
