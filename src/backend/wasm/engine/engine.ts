import type { Buffer, CsrBuffers, DType, PairBuffers } from "../../backend.ts";
import type { SharedHeap, WasmBuffer } from "./memory.ts";
import type { Pool } from "./pool.ts";

/** Elements that one chunk of an elementwise kernel covers: enough to pay for taking it, small enough to share out. */
export const GRAIN = 32_768;

/** What every family of kernels works with: buffers as addresses, and threads to run on. */
export class Engine {
  readonly heap: SharedHeap;
  readonly pool: Pool;

  constructor(heap: SharedHeap, pool: Pool) {
    this.heap = heap;
    this.pool = pool;
  }

  run(kernel: string, items: number, grain: number, ...args: number[]): void {
    this.pool.run(kernel, items, grain, ...args);
  }

  /** Runs on the calling thread alone and returns what the kernel returns. */
  call(kernel: string, ...args: number[]): number {
    return (this.pool.kernels[kernel] as unknown as (...args: number[]) => number)(...args);
  }

  /** Address of a float buffer of at least `length` elements; errors name the kernel and its argument. */
  floats(kernel: string, argument: string, buffer: Buffer, length = 0): number {
    return this.heap.address(kernel, argument, buffer, "f32", length);
  }

  ints(kernel: string, argument: string, buffer: Buffer, length = 0): number {
    return this.heap.address(kernel, argument, buffer, "i32", length);
  }

  /** As `floats`, or 0 if there is no buffer. */
  floatsOrNone(kernel: string, argument: string, buffer: Buffer | null, length: number): number {
    return buffer ? this.floats(kernel, argument, buffer, length) : 0;
  }

  /** Addresses of a sparse matrix, once its lengths are checked. */
  csr(kernel: string, S: CsrBuffers) {
    const rowPtr = this.ints(kernel, "S.rowPtr", S.rowPtr, S.numRows + 1);
    const entries = this.heap.values(S.rowPtr as WasmBuffer)[S.numRows];
    const colIdx = this.ints(kernel, "S.colIdx", S.colIdx, entries);
    const values = this.floatsOrNone(kernel, "S.values", S.values, entries);
    return { rowPtr, colIdx, values, entries };
  }

  /** Addresses of a block of pairs, once its lengths are checked. */
  pairs(kernel: string, pairs: PairBuffers) {
    const sources = this.ints(kernel, "pairs.sources", pairs.sources, pairs.length);
    const targets = this.ints(kernel, "pairs.targets", pairs.targets, pairs.length);
    return { sources, targets };
  }

  /** Hands a buffer to `use` and frees it afterwards, even if `use` throws. */
  borrow<T>(dtype: DType, length: number, use: (buffer: WasmBuffer, address: number) => T): T {
    const buffer = this.heap.alloc(dtype, length);
    try {
      return use(buffer, buffer.address);
    } finally {
      this.heap.free(buffer);
    }
  }

  /** Double-precision numbers that a kernel left at `address`. */
  doubles(address: number, length: number): Float64Array {
    return new Float64Array(this.heap.memory.buffer, address, length);
  }
}

/** Rows per chunk so that a chunk has about {@link GRAIN} elements. */
export function rowGrain(cols: number): number {
  return Math.max(1, Math.ceil(GRAIN / Math.max(cols, 1)));
}
