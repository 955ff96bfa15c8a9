import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";

/** As in `sort-u64.wgsl`. */
const BLOCK = 1024;

/** Length of the buffer that {@link sortU64} needs for `count` keys: a power of two, at least a block. */
export function sortSize(count: number): number {
  let size = BLOCK;
  while (size < count) size *= 2;
  return size;
}

/** Sorts `size` 64-bit keys, with `size` from {@link sortSize}; callers fill unused places with the largest number. */
export function sortU64(gpu: Gpu, keys: GpuBuffer, size: number): void {
  const step = (entry: string, run: number, stride: number, groups: number) =>
    gpu.launch({ shader: "sort-u64", entry, bind: { keys }, params: { size, run, stride }, groups });
  step("local_sort", 0, 0, size / BLOCK);
  for (let run = 2 * BLOCK; run <= size; run *= 2) {
    for (let stride = run / 2; stride >= BLOCK; stride /= 2) step("step", run, stride, size / 2 / WORKGROUP);
    step("local_merge", run, 0, size / BLOCK);
  }
}
