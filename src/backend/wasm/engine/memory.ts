import { check, MemoryError, ShapeError } from "../../../core/errors.ts";
import type { Buffer, DType, MemoryUse } from "../../backend.ts";
import { ALIGNMENT, Allocator, roundUp } from "./allocator.ts";

const PAGE = 65_536;
/** The first page belongs to the static data of the kernels. */
const BASE = PAGE;
export const MAX_PAGES = 65_536;

type Values = Float32Array | Float64Array | Int32Array;

/** A range of the shared memory; `address` is 0 once it is freed. */
export class WasmBuffer implements Buffer {
  readonly owner: SharedHeap;
  readonly dtype: DType;
  readonly length: number;
  readonly bytes: number;
  address: number;

  constructor(owner: SharedHeap, dtype: DType, length: number, address: number, bytes: number) {
    this.owner = owner;
    this.dtype = dtype;
    this.length = length;
    this.bytes = bytes;
    this.address = address;
  }
}

/** One WebAssembly memory that all threads see, grown when something does not fit, and the buffers in it. */
export class SharedHeap implements MemoryUse {
  readonly memory: WebAssembly.Memory;
  current = 0;
  peak = 0;
  private readonly allocator: Allocator;
  private readonly maxPages: number;

  /** `maxPages` of 64 KiB each; a WebAssembly memory ends at 65,536 of them, 4 GiB. */
  constructor(maxPages = MAX_PAGES) {
    this.maxPages = maxPages;
    this.memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
    // The last page stays free: kernels may compute addresses a little beyond the end of a buffer.
    this.allocator = new Allocator(BASE, (maxPages - 1) * PAGE, (end) => this.growTo(end));
  }

  resetPeak(): void {
    this.peak = this.current;
  }

  alloc(dtype: DType, length: number): WasmBuffer {
    check(Number.isSafeInteger(length) && length >= 0, () => `alloc: length must be a whole number, got ${length}`);
    const bytes = roundUp(Math.max(length * 4, 1), ALIGNMENT);
    const address = this.take(bytes, `${length} elements of ${dtype}`);
    this.current += bytes;
    this.peak = Math.max(this.peak, this.current);
    return new WasmBuffer(this, dtype, length, address, bytes);
  }

  /** Part of a buffer; it owns no bytes, so that there is nothing to free. */
  view(buffer: Buffer, begin: number, length: number): WasmBuffer {
    const { dtype } = buffer;
    const address = this.address("view", "buffer", buffer, dtype, begin + length);
    check(begin % 64 === 0, () => `view: begin must be a multiple of 64, got ${begin}`);
    return new WasmBuffer(this, dtype, length, address + 4 * begin, 0);
  }

  free(buffer: Buffer): void {
    const stored = this.stored("free", "buffer", buffer);
    this.allocator.give(stored.address, stored.bytes);
    this.current -= stored.bytes;
    stored.address = 0;
  }

  /** Swaps the contents of two buffers of the same size by swapping their addresses; neither may have views. */
  exchange(kernel: string, a: Buffer, b: Buffer): void {
    const first = this.stored(kernel, "out", a);
    const second = this.stored(kernel, "X", b);
    check(
      first.dtype === second.dtype && first.length === second.length && first.bytes === second.bytes,
      () => `${kernel}: ${a.length} elements of ${a.dtype} cannot take the place of ${b.length} of ${b.dtype}`,
      ShapeError,
    );
    [first.address, second.address] = [second.address, first.address];
  }

  /** Address of storage that lives as long as the backend and does not count as memory in use. */
  reserve(bytes: number): number {
    return this.take(roundUp(bytes, ALIGNMENT), `${bytes} bytes of scratch space`);
  }

  upload(data: Values): WasmBuffer {
    const buffer = this.alloc(data instanceof Int32Array ? "i32" : "f32", data.length);
    this.values(buffer).set(data);
    return buffer;
  }

  write(buffer: Buffer, data: Values): void {
    this.address("write", "buffer", buffer, data instanceof Int32Array ? "i32" : "f32");
    check(
      data.length <= buffer.length,
      () => `write: ${data.length} elements do not fit into a buffer of length ${buffer.length}`,
      ShapeError,
    );
    this.values(buffer as WasmBuffer).set(data);
  }

  read(buffer: Buffer): Float32Array | Int32Array {
    return this.values(this.stored("read", "buffer", buffer)).slice();
  }

  /** A view that is valid until the memory grows. */
  values(buffer: WasmBuffer): Float32Array | Int32Array {
    const View = buffer.dtype === "i32" ? Int32Array : Float32Array;
    return new View(this.memory.buffer, buffer.address, buffer.length);
  }

  /** Where a buffer of this type with at least `length` elements lies; errors name the kernel and its argument. */
  address(kernel: string, argument: string, buffer: Buffer, dtype: DType, length = 0): number {
    const stored = this.stored(kernel, argument, buffer);
    check(stored.dtype === dtype, () => `${kernel}: ${argument} must be ${dtype}, got ${stored.dtype}`);
    check(
      stored.length >= length,
      () => `${kernel}: ${argument} must have at least ${length} elements, got ${stored.length}`,
      ShapeError,
    );
    return stored.address;
  }

  private stored(kernel: string, argument: string, buffer: Buffer): WasmBuffer {
    check(
      buffer instanceof WasmBuffer && buffer.owner === this,
      () => `${kernel}: ${argument} is not a buffer of this wasm backend`,
    );
    check(buffer.address !== 0, () => `${kernel}: ${argument} was freed`);
    return buffer;
  }

  private take(bytes: number, what: string): number {
    const address = this.allocator.take(bytes);
    if (address !== null) return address;
    throw new MemoryError(
      `alloc: ${what} (${megabytes(bytes)}) asked for, ${megabytes(this.current)} in use, largest free block ` +
        `${megabytes(this.allocator.largest)} of ${megabytes(this.maxPages * PAGE)}; free buffers or use a smaller size`,
    );
  }

  private growTo(end: number): boolean {
    const missing = Math.ceil(end / PAGE) + 1 - this.memory.buffer.byteLength / PAGE;
    if (missing <= 0) return true;
    try {
      this.memory.grow(missing);
      return true;
    } catch {
      return false; // the operating system refused
    }
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
