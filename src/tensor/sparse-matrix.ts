import type { Backend, Buffer, CsrBuffers, PairBuffers } from "../backend/backend.ts";
import { check, ShapeError, UserError } from "../core/errors.ts";
import { type Csr, numEntries } from "../graph/csr.ts";
import { type Disposable, keep, register, scope } from "./scope.ts";
import { empty, type Tensor, tensor } from "./tensor.ts";

let made = 0;

/**
 * A sparse matrix on a device: a fixed pattern, and values that ops can differentiate (`null`: all ones). Its transpose
 * and its list of entries are made when a gradient first needs them.
 *
 * An uploaded matrix owns its pattern and its values, which stay as they are. One made from it by `withValues` or
 * `transposed` borrows both: disposing that one frees nothing.
 */
export class SparseMatrix {
  /** Unique; part of the keys by which `Constants` tells expressions apart. @internal */
  readonly id = made++;
  readonly backend: Backend;
  readonly values: Tensor | null;
  private readonly pattern: Pattern;
  private readonly lender: SparseMatrix | null;
  private cachedTranspose: SparseMatrix | null = null;

  private constructor(pattern: Pattern, values: Tensor | null, lender: SparseMatrix | null = null) {
    this.backend = pattern.backend;
    this.pattern = pattern;
    this.values = values;
    this.lender = lender;
  }

  /** Copies a matrix to the device. It owns its pattern and values; the scope owns the matrix as a whole. */
  static upload(backend: Backend, host: Csr): SparseMatrix {
    const matrix = scope(() => {
      const pattern = new Pattern(backend, host);
      const values = host.values ? keep(tensor(backend, host.values, [host.values.length])) : null;
      return new SparseMatrix(keep(pattern), values);
    }); // if memory runs out halfway, everything is freed
    register(matrix);
    return matrix;
  }

  /** The same pattern with other values, in the order of the stored entries. */
  withValues(values: Tensor): SparseMatrix {
    check(
      values.size === this.numEntries,
      () => `withValues: ${values.size} values for ${this.numEntries} entries`,
      ShapeError,
    );
    return new SparseMatrix(this.pattern, values, this);
  }

  get numRows(): number {
    return this.pattern.host.numRows;
  }
  get numCols(): number {
    return this.pattern.host.numCols;
  }
  get numEntries(): number {
    return this.pattern.host.colIdx.length;
  }

  /** The pattern on the host, with the values it was uploaded with. */
  get host(): Csr {
    return this.pattern.host;
  }

  get buffers(): CsrBuffers {
    return { ...this.pattern.buffers, values: this.values?.buffer ?? null };
  }

  /** (row, column) of each stored entry, in order. */
  get entries(): PairBuffers {
    return this.pattern.entries;
  }

  /** Sᵀ. A symmetric matrix of ones is its own transpose. */
  get transposed(): SparseMatrix {
    if (this.cachedTranspose) return this.cachedTranspose;
    const { pattern, order } = this.pattern.transposed;
    if (!this.values) return pattern === this.pattern ? this : this.transposedAs(pattern, null);
    const permuted = empty(this.backend, [this.numEntries]);
    this.backend.gatherRows(permuted.buffer, this.values.buffer, order, 1);
    const result = this.transposedAs(pattern, permuted);
    if (this.lender) return result; // borrowed values may change or be freed after the step: not cached
    keep(permuted);
    return (this.cachedTranspose = result);
  }

  /** @internal */
  get transposedPattern(): CsrBuffers {
    return { ...this.pattern.transposed.pattern.buffers, values: null };
  }

  /** i32: for each entry of Sᵀ, its position among the entries of S. @internal */
  get transposedOrder(): Buffer {
    return this.pattern.transposed.order;
  }

  private transposedAs(pattern: Pattern, values: Tensor | null): SparseMatrix {
    const result = new SparseMatrix(pattern, values, this);
    result.cachedTranspose = this;
    return result;
  }

  /** What the matrix borrows: returning or keeping the matrix returns or keeps this too. @internal */
  get parts(): Disposable[] {
    if (!this.lender) return [];
    return this.values ? [this.lender, this.values] : [this.lender];
  }

  dispose(): void {
    if (this.lender) return;
    this.pattern.dispose();
    this.values?.dispose();
    this.cachedTranspose?.values?.dispose();
  }
}

/** The part of a sparse matrix that matrices with other values share. */
class Pattern {
  readonly backend: Backend;
  readonly host: Csr;
  private readonly csr: Omit<CsrBuffers, "values">;
  private isDisposed = false;
  private owned: Buffer[] = [];
  private cachedEntries: PairBuffers | null = null;
  private cachedTranspose: { pattern: Pattern; order: Buffer } | null = null;

  constructor(backend: Backend, host: Csr) {
    this.backend = backend;
    this.host = host;
    register(this); // before the uploads: if one runs out of memory, the scope frees the others
    const { numRows, numCols, rowPtr, colIdx } = host;
    check(
      numEntries(host) < 2 ** 31,
      () => `SparseMatrix: a device counts to 2^31 - 1 entries, got ${numEntries(host)}; split the rows`,
    );
    checkIndices(host);
    const pointers = rowPtr instanceof Int32Array ? rowPtr : Int32Array.from(rowPtr);
    this.csr = { numRows, numCols, rowPtr: this.own(pointers), colIdx: this.own(colIdx) };
  }

  get buffers(): Omit<CsrBuffers, "values"> {
    const { numRows, numCols } = this.csr;
    check(
      !this.isDisposed,
      () => `sparse matrix of shape [${numRows}, ${numCols}] was disposed; keep it out of the scope that ended`,
    );
    return this.csr;
  }

  get entries(): PairBuffers {
    this.cachedEntries ??= this.listEntries();
    return this.cachedEntries;
  }

  /** The pattern of Sᵀ, and for each of its entries the position of that entry in S. */
  get transposed(): { pattern: Pattern; order: Buffer } {
    this.cachedTranspose ??= this.transpose();
    return this.cachedTranspose;
  }

  dispose(): void {
    for (const buffer of this.owned) this.backend.free(buffer);
    this.owned = [];
    this.isDisposed = true;
    if (this.cachedTranspose && this.cachedTranspose.pattern !== this) this.cachedTranspose.pattern.dispose();
    this.cachedTranspose = null;
  }

  private own(data: Int32Array): Buffer {
    const buffer = this.backend.upload(data);
    this.owned.push(buffer);
    return buffer;
  }

  private listEntries(): PairBuffers {
    const { numRows, numCols, colIdx } = this.host;
    const sources = this.own(rowOfEachEntry(this.host));
    return {
      numNodes: Math.min(numRows, numCols), // kernels take it as the least length of both operands
      directed: true,
      length: colIdx.length,
      sources,
      targets: this.buffers.colIdx,
    };
  }

  private transpose(): { pattern: Pattern; order: Buffer } {
    const { numRows, numCols, rowPtr, colIdx } = this.host;
    const order = new Int32Array(colIdx.length);
    const next = new Int32Array(numCols + 1);
    for (const j of colIdx) next[j + 1]++;
    for (let j = 0; j < numCols; j++) next[j + 1] += next[j];
    const rowPtrT = next.slice();
    const colIdxT = new Int32Array(colIdx.length);
    for (let i = 0; i < numRows; i++) {
      for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) {
        const at = next[colIdx[e]]++;
        colIdxT[at] = i;
        order[at] = e;
      }
    }
    const host = { numRows: numCols, numCols: numRows, rowPtr: rowPtrT, colIdx: colIdxT, values: null };
    const symmetric = numRows === numCols && equal(rowPtr, rowPtrT) && equal(colIdx, colIdxT);
    const uploaded = this.own(order);
    return { pattern: symmetric ? this : keep(new Pattern(this.backend, host)), order: uploaded };
  }
}

/** Kernels trust the pattern they are given: rows must begin and end within the entries, columns lie in the matrix. */
function checkIndices({ numRows, numCols, rowPtr, colIdx }: Csr): void {
  const spans = rowPtr.length === numRows + 1 && rowPtr[0] === 0 && rowPtr[numRows] === colIdx.length;
  check(spans, () => `SparseMatrix: row pointers must go from 0 to the ${colIdx.length} entries in ${numRows} steps`);
  for (let i = 0; i < numRows; i++) {
    if (rowPtr[i] > rowPtr[i + 1])
      throw new UserError(`SparseMatrix: row pointers must not decrease, but do at row ${i}`);
  }
  for (let e = 0; e < colIdx.length; e++) {
    const column = colIdx[e];
    if (column < 0 || column >= numCols)
      throw new UserError(`SparseMatrix: column ${column} must be in 0 … ${numCols - 1}`);
  }
}

export function rowOfEachEntry({ numRows, rowPtr, colIdx }: Csr): Int32Array {
  const rows = new Int32Array(colIdx.length);
  for (let i = 0; i < numRows; i++) rows.fill(i, rowPtr[i], rowPtr[i + 1]);
  return rows;
}

function equal(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
}
