import { check, MemoryError, ShapeError } from "../../../core/errors.ts";
import type { Buffer, DType, MemoryUse } from "../../backend.ts";
import { GpuBuffer, type GpuMemory } from "./gpu-buffer.ts";
import { partBytes } from "./memory-parts.ts";

/** GPUBufferUsage and its values in the specification of WebGPU; only browsers have it as a global. */
export const USAGE = { mapRead: 1, copySource: 4, copyTarget: 8, uniform: 64, storage: 128 } as const;

/** Sizes are rounded up to this, the strictest alignment that bindings have. */
const ALIGNMENT = 256;

/**
 * Buffers of a device. Freed memory is kept and reused for buffers of the same size: a repeated step gets the same
 * memory again, so that its bind groups can be reused too.
 */
export class Heap implements MemoryUse {
  current = 0;
  peak = 0;
  /** Bytes taken from the device, including idle memory. */
  reserved = 0;
  /** Bytes of each part of memory that is larger than one buffer may be, and most bytes of a matrix per launch. */
  readonly partBytes: number;
  private readonly device: GPUDevice;
  private readonly idle = new Map<number, GpuMemory[]>();
  private readonly beforeRelease: () => void;
  private readonly listeners: (() => void)[] = [];
  private nextId = 1;

  /** `beforeRelease` is called before memory is returned to the device, and must submit launches that use it. */
  constructor(device: GPUDevice, beforeRelease: () => void) {
    this.device = device;
    this.partBytes = partBytes(device.limits);
    this.beforeRelease = beforeRelease;
  }

  resetPeak(): void {
    this.peak = this.current;
  }

  alloc(dtype: DType, length: number): GpuBuffer {
    check(Number.isSafeInteger(length) && length >= 0, () => `alloc: length must be a whole number, got ${length}`);
    const memory = this.take(Math.max(ALIGNMENT, roundUp(4 * length)), length, dtype);
    this.current += memory.bytes;
    this.peak = Math.max(this.peak, this.current);
    return new GpuBuffer(memory, dtype, length);
  }

  /** Storage for the backend itself, not counted as memory use; kept until {@link recycle} or the backend's end. */
  reserve(length: number): GpuBuffer {
    return new GpuBuffer(this.take(Math.max(ALIGNMENT, roundUp(4 * length)), length, "f32"), "f32", length);
  }

  /** Makes storage from {@link reserve} idle again. */
  recycle({ memory }: GpuBuffer): void {
    this.rest(memory);
  }

  view(buffer: Buffer, begin: number, length: number): GpuBuffer {
    const whole = this.stored("view", "buffer", buffer, buffer.dtype, begin + length);
    check(begin % 64 === 0, () => `view: begin must be a multiple of 64, got ${begin}`);
    return new GpuBuffer(whole.memory, whole.dtype, length, whole.offset + 4 * begin, whole);
  }

  free(buffer: Buffer): void {
    const stored = this.stored("free", "buffer", buffer, buffer.dtype);
    stored.isFreed = true;
    if (stored.parent) return;
    this.current -= stored.memory.bytes;
    this.rest(stored.memory);
    for (const listener of this.listeners) listener();
  }

  /** `listener` is called after every free; it may free buffers derived from the freed one. */
  onFree(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Returns idle memory to the device. */
  release(): void {
    this.beforeRelease();
    for (const waiting of this.idle.values()) {
      for (const memory of waiting.splice(0)) {
        for (const part of memory.parts) part.destroy();
        this.reserved -= memory.bytes;
      }
    }
  }

  /** The buffer, if it is alive and has this type and at least this length; errors name the kernel and its argument. */
  stored(kernel: string, argument: string, buffer: Buffer, dtype: DType, length = 0): GpuBuffer {
    check(
      buffer instanceof GpuBuffer && this.owns(buffer),
      () => `${kernel}: ${argument} is not a buffer of this webgpu backend`,
    );
    check(!isFreed(buffer), () => `${kernel}: ${argument} was freed`);
    check(buffer.dtype === dtype, () => `${kernel}: ${argument} must be ${dtype}, got ${buffer.dtype}`);
    check(
      buffer.length >= length,
      () => `${kernel}: ${argument} must have at least ${length} elements, got ${buffer.length}`,
      ShapeError,
    );
    return buffer;
  }

  /** Keeps memory for reuse. */
  private rest(memory: GpuMemory): void {
    const waiting = this.idle.get(memory.bytes);
    if (waiting) waiting.push(memory);
    else this.idle.set(memory.bytes, [memory]);
  }

  private readonly mine = new WeakSet<GpuMemory>();

  private owns(buffer: GpuBuffer): boolean {
    return this.mine.has(buffer.memory);
  }

  private take(bytes: number, length: number, dtype: DType): GpuMemory {
    const waiting = this.idle.get(bytes)?.pop();
    if (waiting) return waiting;
    const { maxBufferSize } = this.device.limits;
    const size = bytes <= maxBufferSize ? bytes : this.partBytes;
    const numParts = Math.ceil(bytes / size);
    if (numParts > MAX_PARTS) {
      throw new MemoryError(
        `alloc: ${length} elements of ${dtype} (${megabytes(bytes)}) asked for, the device allows ` +
          `${megabytes(maxBufferSize)} per buffer, ${megabytes(this.current)} in use; use a smaller size`,
      );
    }
    // Return idle memory of other sizes before more than twice the peak use is taken from the device.
    if (this.reserved + bytes > 2 * Math.max(this.peak, this.current + bytes) && this.reserved > LARGE) this.release();
    const usage = USAGE.storage | USAGE.copySource | USAGE.copyTarget;
    const parts: GPUBuffer[] = [];
    for (let begin = 0; begin < bytes; begin += size) {
      parts.push(this.device.createBuffer({ size: Math.min(size, bytes - begin), usage }));
    }
    const memory = { id: this.nextId++, parts, partBytes: size, bytes, version: 0 };
    this.mine.add(memory);
    this.reserved += bytes;
    return memory;
  }
}

/** Most buffers for one piece of memory: more than any device has memory for. */
const MAX_PARTS = 128;
/** With at most this many bytes taken, returning idle memory is not worth it. */
const LARGE = 2 ** 28;

/** Whether a buffer was freed, or the buffer of which it is a window. */
export function isFreed(buffer: GpuBuffer): boolean {
  return buffer.isFreed || (buffer.parent !== null && isFreed(buffer.parent));
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
