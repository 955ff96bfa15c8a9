import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";

/** As in `scan.wgsl`. */
const BLOCK = 1024;

/** counts_i ← Σ_{k < i} counts_k, in place; `copies` receives sums 0 … length − 2, then sums 1 … length − 1. */
export function exclusiveScan(gpu: Gpu, counts: GpuBuffer, copies: GpuBuffer, length: number): void {
  const numBlocks = Math.ceil(length / BLOCK);
  gpu.borrow({ blockSums: { i32: numBlocks } }, ({ blockSums }) => {
    for (const entry of ["blocks", "finish"]) {
      const bind = { counts, blockSums, copies };
      gpu.launch({ shader: "scan", entry, bind, params: { length, numBlocks }, groups: numBlocks });
    }
  });
}
