import type { Buffer, DType } from "../../backend.ts";

/** Storage on the device: a whole buffer, or a window of one. */
export class GpuBuffer implements Buffer {
  readonly dtype: DType;
  readonly length: number;
  readonly memory: GpuMemory;
  /** Offset in the memory, in bytes. */
  readonly offset: number;
  readonly parent: GpuBuffer | null;
  isFreed = false;

  constructor(memory: GpuMemory, dtype: DType, length: number, offset = 0, parent: GpuBuffer | null = null) {
    this.memory = memory;
    this.dtype = dtype;
    this.length = length;
    this.offset = offset;
    this.parent = parent;
  }

  /** Whether kernels may write whole groups of four elements: no other buffer has values behind the last element. */
  get hasPadding(): boolean {
    return this.parent === null || this.length % 4 === 0;
  }

  /** A window for the bindings of one launch; it does not count as memory use and need not be freed. */
  window(begin: number, length: number): GpuBuffer {
    if (begin === 0 && length === this.length) return this;
    return new GpuBuffer(this.memory, this.dtype, length, this.offset + 4 * begin, this);
  }
}

/** A piece of the device's memory, reused by one buffer after the other. */
export interface GpuMemory {
  readonly id: number;
  /** One buffer of the device, or several if it exceeds the largest size of one; all but the last have `partBytes`. */
  readonly parts: readonly GPUBuffer[];
  readonly partBytes: number;
  readonly bytes: number;
  /** Increases with every launch or write that may have changed it. */
  version: number;
}
