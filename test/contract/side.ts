import type { Backend, Buffer, CsrBuffers, DType, PairBuffers } from "../../src/backend/backend.ts";
import { Rng } from "../../src/core/rng.ts";
import { pairAt, pairCount } from "../../src/graph/pair-index.ts";

/**
 * One of the two backends of a comparison, with a source of inputs: both sides of a test draw the same values, rounded
 * to f32 so that no difference comes from the inputs.
 */
export class Side {
  readonly rng = new Rng(2021);
  private readonly made: Buffer[] = [];
  private readonly uploaded = new Map<Buffer, Int32Array>();
  readonly backend: Backend;

  constructor(backend: Backend) {
    this.backend = backend;
  }

  /** Storage that kernels must overwrite whatever is in it: NaN, or −7 for integers. */
  out(length: number, dtype: DType = "f32"): Buffer {
    return this.own(
      this.backend.upload(
        dtype === "f32" ? new Float32Array(length).fill(Number.NaN) : new Int32Array(length).fill(-7),
      ),
    );
  }

  floats(values: ArrayLike<number>): Buffer {
    return this.own(this.backend.upload(Float32Array.from(values)));
  }

  ints(values: ArrayLike<number>): Buffer {
    const host = Int32Array.from(values);
    const buffer = this.own(this.backend.upload(host));
    this.uploaded.set(buffer, host);
    return buffer;
  }

  /** The row of each entry of a matrix whose row pointers came from this side. */
  rowOfEach({ rowPtr }: CsrBuffers): Buffer {
    const host = this.uploaded.get(rowPtr)!;
    return this.ints([...host].flatMap((end, i) => (i > 0 ? new Array<number>(end - host[i - 1]).fill(i - 1) : [])));
  }

  normal(length: number, spread = 1): Buffer {
    return this.floats(Array.from({ length }, () => spread * this.rng.normal()));
  }

  uniform(length: number, low: number, high: number): Buffer {
    return this.floats(Array.from({ length }, () => low + (high - low) * this.rng.uniform()));
  }

  indices(length: number, bound: number): Buffer {
    return this.ints(Array.from({ length }, () => this.rng.integer(bound)));
  }

  /** A sparse matrix whose row i has `lengths[i]` entries (at most `numCols`) in random columns. */
  csr(numCols: number, lengths: number[], valued = true): CsrBuffers {
    const columns = lengths.map((length) => this.distinct(numCols, length));
    const rowPtr = [0];
    for (const row of columns) rowPtr.push(rowPtr.at(-1)! + row.length);
    const colIdx = columns.flat();
    return {
      numRows: lengths.length,
      numCols,
      rowPtr: this.ints(rowPtr),
      colIdx: this.ints(colIdx),
      values: valued ? this.normal(colIdx.length) : null,
    };
  }

  /** `length` random distinct pairs of a small graph, ascending. */
  pairs(numNodes: number, directed: boolean, length: number): PairBuffers {
    const indices = this.distinct(Number(pairCount(numNodes, directed)), length);
    const ends = indices.map((index) => pairAt(numNodes, directed, BigInt(index)));
    return {
      numNodes,
      directed,
      length,
      sources: this.ints(ends.map(([i]) => i)),
      targets: this.ints(ends.map(([, j]) => j)),
    };
  }

  /** Storage for `length` pairs yet to be drawn. */
  block(numNodes: number, directed: boolean, length: number): PairBuffers {
    return { numNodes, directed, length, sources: this.out(length, "i32"), targets: this.out(length, "i32") };
  }

  /** Frees this buffer with the others when the test ends. */
  own(buffer: Buffer): Buffer {
    this.made.push(buffer);
    return buffer;
  }

  freeAll(): void {
    for (const buffer of this.made.splice(0)) this.backend.free(buffer);
  }

  /** `length` distinct numbers below `bound` (all of them if there are fewer), ascending. */
  private distinct(bound: number, length: number): number[] {
    const chosen = new Set<number>();
    for (let top = Math.max(0, bound - length); top < bound; top++) {
      const drawn = this.rng.integer(top + 1); // Floyd: one draw per number, however full the range gets
      chosen.add(chosen.has(drawn) ? top : drawn);
    }
    return [...chosen].sort((a, b) => a - b);
  }
}
