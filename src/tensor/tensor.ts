import type { Backend, Buffer } from "../backend/backend.ts";
import { check, ShapeError } from "../core/errors.ts";
import type { PendingOp } from "./op.ts";
import { type Disposable, register } from "./scope.ts";

/** Sizes of a tensor, outermost first. */
export type Shape = readonly number[];
/** Values of a tensor on the host: the reference backend computes in 64 bits, the others in 32. */
export type Values = Float32Array | Float64Array;

let made = 0;

/**
 * A dense array of floats on a device. Its values never change once an op has written them, except through
 * {@link Tensor.assign}. Storage is freed by {@link Tensor.dispose} or at the end of the scope it was made in.
 *
 * The result of an op is computed when it is first needed: when {@link Tensor.buffer} is read, or when it leaves its
 * scope.
 */
export class Tensor implements Disposable {
  /** Unique; part of the keys by which `Constants` tells expressions apart. @internal */
  readonly id = made++;
  readonly backend: Backend;
  readonly shape: Shape;
  /** The op that will compute the values; null once they are there. @internal */
  pending: PendingOp | null = null;
  /** The tensor that owns the values, if they are borrowed. @internal */
  lender: Tensor | null = null;
  private storage: Buffer | null;

  constructor(backend: Backend, buffer: Buffer | null, shape: Shape) {
    this.backend = backend;
    this.shape = shape;
    this.storage = buffer;
    register(this);
  }

  get size(): number {
    return sizeOf(this.shape);
  }

  get buffer(): Buffer {
    if (this.pending) this.pending.compute([this]);
    check(
      this.storage !== null,
      () => `tensor of shape [${this.shape.join(", ")}] was disposed; keep it out of the scope that ended`,
    );
    return this.storage;
  }

  get isDisposed(): boolean {
    return this.storage === null && this.pending === null;
  }

  /** Room for the values that a pending op is about to write. @internal */
  allocate(): Buffer {
    this.storage ??= this.backend.alloc("f32", this.size);
    return this.storage;
  }

  /** Uses the values of another tensor, which must outlive this one, instead of computing the same. @internal */
  borrow(from: Tensor): void {
    this.storage = from.buffer;
    this.lender = from;
    this.pending = null;
  }

  /** If pending, computes it together with all other pending tensors of `others`. @internal */
  settle(others: readonly Disposable[]): void {
    if (!this.pending) return;
    this.pending.compute(others.filter((item) => item instanceof Tensor && item.pending !== null) as Tensor[]);
  }

  /** A copy of the values on the host. */
  async read(): Promise<Values> {
    return (await this.backend.read(this.buffer)) as Values;
  }

  /** The value of a tensor with one element. */
  async item(): Promise<number> {
    check(
      this.size === 1,
      () => `item: tensor must have one element, got shape [${this.shape.join(", ")}]`,
      ShapeError,
    );
    return (await this.read())[0];
  }

  /** Overwrites the values, such as a parameter's with saved ones. */
  assign(values: Values): void {
    check(
      values.length === this.size,
      () => `assign: ${values.length} values for shape [${this.shape.join(", ")}]`,
      ShapeError,
    );
    this.backend.write(this.buffer, values);
  }

  dispose(): void {
    if (this.storage && !this.lender) this.backend.free(this.storage);
    this.storage = null;
    this.pending = null;
  }
}

/** A tensor with these values. */
export function tensor(backend: Backend, values: Values | readonly number[], shape: Shape): Tensor {
  check(
    values.length === sizeOf(shape),
    () => `tensor: ${values.length} values for shape [${shape.join(", ")}]`,
    ShapeError,
  );
  const data = Array.isArray(values) ? Float64Array.from(values) : (values as Values);
  return new Tensor(backend, backend.upload(data), shape);
}

/** Storage for a result that an op is about to write. */
export function empty(backend: Backend, shape: Shape): Tensor {
  return new Tensor(backend, backend.alloc("f32", sizeOf(shape)), shape);
}

/** A tensor with the same value everywhere. */
export function filled(backend: Backend, shape: Shape, value: number): Tensor {
  const out = empty(backend, shape);
  backend.fill(out.buffer, value);
  return out;
}

export function sizeOf(shape: Shape): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Throws unless `X` has this shape; a string stands for any size. */
export function expectShape(op: string, argument: string, X: Tensor, shape: readonly (number | string)[]): void {
  const fits =
    X.shape.length === shape.length && shape.every((size, i) => typeof size === "string" || size === X.shape[i]);
  check(
    fits,
    () => `${op}: ${argument} must have shape [${shape.join(", ")}], got [${X.shape.join(", ")}]`,
    ShapeError,
  );
}
