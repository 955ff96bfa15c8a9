import { check, MemoryError, ShapeError } from "../../core/errors.ts";
import type { Buffer, DType, MemoryUse } from "../backend.ts";

type Values = Float64Array | Int32Array;

/** A buffer of the reference backend: a typed array until it is freed. */
class ReferenceBuffer implements Buffer {
  readonly dtype: DType;
  readonly length: number;
  readonly owner: Storage;
  values: Values | null;

  constructor(owner: Storage, values: Values) {
    this.owner = owner;
    this.values = values;
    this.dtype = values instanceof Int32Array ? "i32" : "f32";
    this.length = values.length;
  }
}

/** Bytes per element, for the accounting: what an `f32` or `i32` takes on a device, not the doubles stored here. */
const ELEMENT_BYTES = 4;

/** Allocation and memory accounting of one reference backend. */
export class Storage implements MemoryUse {
  current = 0;
  peak = 0;

  resetPeak(): void {
    this.peak = this.current;
  }

  alloc(dtype: DType, length: number): Buffer {
    check(Number.isSafeInteger(length) && length >= 0, () => `alloc: length must be a whole number, got ${length}`);
    return this.adopt(newValues(dtype, length, this.current));
  }

  upload(data: Float32Array | Float64Array | Int32Array): Buffer {
    return this.adopt(data instanceof Int32Array ? data.slice() : Float64Array.from(data));
  }

  write(buffer: Buffer, data: Float32Array | Float64Array | Int32Array): void {
    const values = data instanceof Int32Array ? ints("write", "buffer", buffer) : floats("write", "buffer", buffer);
    check(
      data.length <= values.length,
      () => `write: ${data.length} elements do not fit into a buffer of length ${values.length}`,
      ShapeError,
    );
    values.set(data);
  }

  read(buffer: Buffer): Values {
    return stored("read", "buffer", buffer).values.slice();
  }

  view(buffer: Buffer, begin: number, length: number): Buffer {
    const { values } = stored("view", "buffer", buffer, begin + length);
    check(begin % 64 === 0, () => `view: begin must be a multiple of 64, got ${begin}`);
    return new ReferenceBuffer(this, values.subarray(begin, begin + length));
  }

  free(buffer: Buffer): void {
    const { storage } = stored("free", "buffer", buffer);
    check(storage.owner === this, () => "free: buffer belongs to another reference backend");
    storage.values = null;
    this.current -= storage.length * ELEMENT_BYTES;
  }

  private adopt(values: Values): Buffer {
    this.current += values.length * ELEMENT_BYTES;
    this.peak = Math.max(this.peak, this.current);
    return new ReferenceBuffer(this, values);
  }
}

function newValues(dtype: DType, length: number, inUse: number): Values {
  try {
    return dtype === "i32" ? new Int32Array(length) : new Float64Array(length);
  } catch {
    throw new MemoryError(
      `alloc: ${length} elements of ${dtype} were refused with ${inUse} bytes in use; free buffers or use a smaller size`,
    );
  }
}

/** The floats of `buffer`, which must hold at least `length`; errors name the kernel and its argument. */
export function floats(kernel: string, argument: string, buffer: Buffer, length = 0): Float64Array {
  const { values } = stored(kernel, argument, buffer, length);
  check(!(values instanceof Int32Array), () => `${kernel}: ${argument} must be f32, got i32`);
  return values;
}

/** The elements of `buffer`, which must be of type `dtype`; for kernels that work on both types. */
export function elements(kernel: string, argument: string, buffer: Buffer, dtype: DType, length = 0): Values {
  return dtype === "i32" ? ints(kernel, argument, buffer, length) : floats(kernel, argument, buffer, length);
}

/** The integers of `buffer`, which must hold at least `length`. */
export function ints(kernel: string, argument: string, buffer: Buffer, length = 0): Int32Array {
  const { values } = stored(kernel, argument, buffer, length);
  check(values instanceof Int32Array, () => `${kernel}: ${argument} must be i32, got f32`);
  return values;
}

function stored(kernel: string, argument: string, buffer: Buffer, length = 0) {
  check(buffer instanceof ReferenceBuffer, () => `${kernel}: ${argument} is not a buffer of the reference backend`);
  const { values } = buffer;
  check(values !== null, () => `${kernel}: ${argument} was freed`);
  check(
    values.length >= length,
    () => `${kernel}: ${argument} must have at least ${length} elements, got ${values.length}`,
    ShapeError,
  );
  return { storage: buffer, values };
}
