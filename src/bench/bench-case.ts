import type { Buffer } from "../backend/backend.ts";
import type { Timed } from "./measure.ts";
import type { Workload } from "./workload.ts";

/** The resource that sets the floor of a kernel, and how much of it the kernel needs: bytes or flops. */
export interface Need {
  readonly bound: "gather" | "stream" | "flops";
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

/** Bytes gathered from a matrix that no cache holds; where the matrix is small, the flops count instead. */
export function gathered(work: Workload, rows: number): Need {
  const { numNodes, cols } = work.shape;
  const inCache = numNodes * cols * 4 < 16 * 2 ** 20;
  return inCache ? { bound: "flops", amount: 2 * rows * cols } : { bound: "gather", amount: 4 * rows * cols };
}
