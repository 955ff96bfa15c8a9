import type { GpuMemory } from "./gpu-buffer.ts";

/** Bytes of 64 rows of one float: a multiple of it is a valid offset of a binding. */
const ROWS = 4 * 64;
/** Prime factors that the widths of most matrices consist of: parts end between two rows of such matrices. */
const FACTORS = [2, 2, 2, 5, 2, 3, 2, 2, 2, 5, 2, 3, 2, 7, 2];
/** Most bytes of a part: some drivers compute byte offsets within a binding as signed 32-bit integers. */
const MOST = 2 ** 31 - 2 ** 16;

/** Bytes of each part of memory that is larger than one buffer may be, and most bytes of a matrix per launch. */
export function partBytes({ maxBufferSize, maxStorageBufferBindingSize }: GPUSupportedLimits): number {
  const most = Math.min(maxBufferSize, maxStorageBufferBindingSize, MOST);
  let step = ROWS;
  for (const factor of FACTORS) {
    if (step * factor <= most) step *= factor;
  }
  return Math.floor(most / step) * step;
}

/** A stretch of one part of memory. */
export interface Stretch {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  readonly bytes: number;
}

/** The stretches that contain `bytes` bytes from `offset` on: one, unless they lie in several parts. */
export function stretchesOf(memory: GpuMemory, offset: number, bytes: number): Stretch[] {
  const stretches: Stretch[] = [];
  const end = offset + bytes;
  for (let at = offset; at < end; ) {
    const part = Math.floor(at / memory.partBytes);
    const next = Math.min(end, (part + 1) * memory.partBytes);
    stretches.push({ buffer: memory.parts[part], offset: at - part * memory.partBytes, bytes: next - at });
    at = next;
  }
  return stretches;
}
