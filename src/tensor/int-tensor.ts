import type { Backend, Buffer, CsrBuffers } from "../backend/backend.ts";
import { check } from "../core/errors.ts";
import { register } from "./scope.ts";

/** A vector of indices on a device: labels, node sets, classes. */
export class IntTensor {
  readonly backend: Backend;
  readonly length: number;
  /** Smallest and largest index, if the host knows them. Kernels do not check indices, so ops check these. */
  private readonly range: readonly [number, number] | null;
  private storage: Buffer | null;
  private places: { readonly rows: number; readonly matrix: CsrBuffers } | null = null;

  constructor(backend: Backend, buffer: Buffer, range: readonly [number, number] | null = null) {
    this.backend = backend;
    this.length = buffer.length;
    this.range = range;
    this.storage = buffer;
    register(this);
  }

  static from(backend: Backend, values: ArrayLike<number>): IntTensor {
    const indices = values instanceof Int32Array ? values : Int32Array.from(values);
    return new IntTensor(backend, backend.upload(indices), extremes(indices));
  }

  /** Throws if an index is not in 0 … size − 1. Passes if the host does not know the indices. @internal */
  expectBelow(op: string, what: string, size: number): void {
    const wrong = this.range?.find((index) => index < 0 || index >= size);
    check(wrong === undefined, () => `${op}: ${what} must be in 0 … ${size - 1}, got ${wrong}`);
  }

  get buffer(): Buffer {
    check(
      this.storage !== null,
      () => `index vector of length ${this.length} was disposed; keep it out of the scope that ended`,
    );
    return this.storage;
  }

  /**
   * The matrix of ones, [rows, length], with an entry (i, t) where index t is i. A product with it is the gradient of
   * gathering rows by these indices. Made when a gradient first needs it, then kept: most index vectors are used again.
   * @internal
   */
  placesIn(rows: number): CsrBuffers {
    if (this.places?.rows !== rows) {
      this.forgetPlaces();
      const { backend, length } = this;
      const rowPtr = backend.alloc("i32", rows + 1);
      const colIdx = backend.alloc("i32", length);
      this.places = { rows, matrix: { numRows: rows, numCols: length, rowPtr, colIdx, values: null } };
      backend.groupIndices(rowPtr, colIdx, this.buffer);
    }
    return this.places!.matrix;
  }

  async read(): Promise<Int32Array> {
    return (await this.backend.read(this.buffer)) as Int32Array;
  }

  dispose(): void {
    this.forgetPlaces();
    if (this.storage) this.backend.free(this.storage);
    this.storage = null;
  }

  private forgetPlaces(): void {
    const { matrix } = this.places ?? {};
    if (matrix) for (const buffer of [matrix.rowPtr, matrix.colIdx]) this.backend.free(buffer);
    this.places = null;
  }
}

/** Smallest and largest index; null if there is none. */
function extremes(indices: Int32Array): readonly [number, number] | null {
  if (indices.length === 0) return null;
  let least = indices[0];
  let most = indices[0];
  for (const index of indices) {
    if (index < least) least = index;
    if (index > most) most = index;
  }
  return [least, most];
}
