import type { Gpu } from "./gpu.ts";
import type { GpuBuffer } from "./gpu-buffer.ts";

/** As in `scan.wgsl`. */
const BLOCK = 2048;

/** counts_i ← Σ_{k < i} counts_k, in place. */
export function exclusiveScan(gpu: Gpu, counts: GpuBuffer, length: number): void {
  const numBlocks = Math.ceil(length / BLOCK);
  const step = (entry: string) =>
    gpu.kernel(`scan ${entry}`, () => ({ files: ["common", "scan-workgroup", "scan"], entry }));
  gpu.borrow([["i32", numBlocks]], (sums) => {
    const launch = (entry: string, groups: number) => gpu.run(step(entry), [counts, sums], [length, numBlocks], groups);
    launch("blocks", numBlocks);
    launch("totals", 1);
    launch("finish", numBlocks);
  });
}
