import type { Buffer } from "../backend/backend.ts";
import type { Timed } from "./measure.ts";
import type { Workload } from "./workload.ts";

/** The resource that sets the floor of a kernel, and how much of it the kernel needs: bytes or flops. */
export interface Need {
  readonly bound: "gather" | "cached" | "stream" | "flops";
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

/** Matrices up to this size stay in a cache. */
const CACHE_BYTES = 16 * 2 ** 20;

/** What it takes to read `rows` rows of `cols` floats in any order, out of a matrix of `numRows` rows. */
export function gatherNeed(rows: number, cols: number, numRows: number): Need {
  return { bound: 4 * numRows * cols < CACHE_BYTES ? "cached" : "gather", amount: 4 * rows * cols };
}

/** The same for the matrix of a workload. */
export function gathered(work: Workload, rows: number): Need {
  return gatherNeed(rows, work.shape.cols, work.shape.numNodes);
}
