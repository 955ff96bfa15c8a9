import type { Buffer, DType } from "../../backend.ts";

/** Storage of the device: a whole buffer, or a window of one. `bytes` is 0 once it is freed. */
export class GpuBuffer implements Buffer {
  readonly dtype: DType;
  readonly length: number;
  readonly memory: GpuMemory;
  /** Where it begins in the memory. */
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

  /** True if kernels may write to the end of the last group of four elements: nobody else's values are there. */
  get hasPadding(): boolean {
    return this.parent === null || this.length % 4 === 0;
  }

  /** A window for the bindings of one launch; not counted, not freed. */
  window(begin: number, length: number): GpuBuffer {
    if (begin === 0 && length === this.length) return this;
    return new GpuBuffer(this.memory, this.dtype, length, this.offset + 4 * begin, this);
  }
}

/** A piece of the device's memory that buffers take and give back. */
export interface GpuMemory {
  readonly id: number;
  /** One buffer of the device, or several where it is larger than one may be; all but the last have `partBytes`. */
  readonly parts: readonly GPUBuffer[];
  readonly partBytes: number;
  readonly bytes: number;
  /** Goes up with everything that may have written to it. */
  version: number;
}
