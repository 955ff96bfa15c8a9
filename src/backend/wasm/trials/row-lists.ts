import type { Csr } from "../../../graph/csr.ts";
import type { Engine } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";

/** Spare places that each row gets whenever all rows are laid out. */
const SPARE = 8;

/**
 * The columns of a sparse matrix in shared memory, ascending in each row, with room between rows so that adding and
 * removing entries is cheap.
 */
export class RowLists {
  private readonly engine: Engine;
  /** Where each row begins and ends, side by side. */
  private readonly bounds: WasmBuffer;
  private columns: WasmBuffer;
  /** Where the room of each row ends. */
  private readonly ends: Int32Array;

  constructor(engine: Engine, A: Csr) {
    const rows = Array.from({ length: A.numRows }, (_, i) => A.colIdx.subarray(A.rowPtr[i], A.rowPtr[i + 1]));
    this.engine = engine;
    this.bounds = engine.heap.alloc("i32", 2 * A.numRows);
    this.ends = new Int32Array(A.numRows);
    this.columns = this.layOut(rows);
  }

  /** Addresses of bounds and columns; they change when an entry finds no room. */
  get addresses(): [number, number] {
    return [this.bounds.address, this.columns.address];
  }

  /** Puts an entry in, or takes it out if it is there. */
  toggle(row: number, column: number): void {
    const bounds = this.ints(this.bounds);
    const begin = bounds[2 * row];
    const end = bounds[2 * row + 1];
    const columns = this.ints(this.columns);
    const place = firstNotBelow(columns, begin, end, column);
    if (place < end && columns[place] === column) {
      columns.copyWithin(place, place + 1, end);
      bounds[2 * row + 1] = end - 1;
    } else if (end < this.ends[row]) {
      columns.copyWithin(place + 1, place, end);
      columns[place] = column;
      bounds[2 * row + 1] = end + 1;
    } else {
      this.makeRoom();
      this.toggle(row, column);
    }
  }

  free(): void {
    this.engine.heap.free(this.bounds);
    this.engine.heap.free(this.columns);
  }

  private makeRoom(): void {
    const bounds = this.ints(this.bounds);
    const old = this.ints(this.columns).slice();
    const rows = Array.from(this.ends, (_, i) => old.subarray(bounds[2 * i], bounds[2 * i + 1]));
    this.engine.heap.free(this.columns);
    this.columns = this.layOut(rows);
  }

  private layOut(rows: readonly Int32Array[]): WasmBuffer {
    const length = rows.reduce((sum, row) => sum + row.length + SPARE, 0);
    const buffer = this.engine.heap.alloc("i32", length);
    const columns = this.ints(buffer);
    const bounds = this.ints(this.bounds);
    let at = 0;
    for (const [i, row] of rows.entries()) {
      columns.set(row, at);
      bounds[2 * i] = at;
      bounds[2 * i + 1] = at + row.length;
      at += row.length + SPARE;
      this.ends[i] = at;
    }
    return buffer;
  }

  private ints(buffer: WasmBuffer): Int32Array {
    return this.engine.heap.values(buffer) as Int32Array;
  }
}

/** The first place in a sorted range with a value of at least `value`, or `end`. */
function firstNotBelow(values: Int32Array, begin: number, end: number, value: number): number {
  let low = begin;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
