import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";

/** As in `scan.wgsl`. */
const BLOCK = 1024;

/** counts_i ← Σ_{k < i} counts_k, in place; `copies` gets the sums but for the last, and behind them all but the first. */
export function exclusiveScan(gpu: Gpu, counts: GpuBuffer, copies: GpuBuffer, length: number): void {
  const numBlocks = Math.ceil(length / BLOCK);
  const step = (entry: string) =>
    gpu.kernel(`scan ${entry}`, () => ({ files: ["threads", "scan-workgroup", "scan"], entry }));
  gpu.borrow([["i32", numBlocks]], (sums) => {
    for (const entry of ["blocks", "finish"])
      gpu.run(step(entry), [counts, sums, copies], [length, numBlocks], numBlocks);
  });
}
