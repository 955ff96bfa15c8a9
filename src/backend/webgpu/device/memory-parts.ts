import type { GpuMemory } from "./gpu-buffer.ts";

/** 64 rows of one float: where such a row begins, a binding may. */
const ROWS = 4 * 64;
/** Of these the widths of most matrices are made: parts end between two rows of such a matrix. */
const FACTORS = [2, 2, 2, 5, 2, 3, 2, 2, 2, 5, 2, 3, 2, 7, 2];
/** Indices within a binding are multiplied to bytes as signed integers by some drivers. */
const MOST = 2 ** 31 - 2 ** 16;

/** Bytes of a part of memory that is larger than one buffer of the device, and of what kernels are given at once of a matrix. */
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

/** Where `bytes` from `offset` on lie: one stretch, unless they are in several parts. */
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
