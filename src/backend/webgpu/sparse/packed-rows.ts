import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { isFreed } from "../device/heap.ts";
import { lanesFor } from "../shared/lanes.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import { wideVectors } from "../shared/row-vectors.ts";

/** Vectors of four words in a line of the cache. */
const LINE = 8;
/** A window's offset is a multiple of this many words: a valid offset of a binding. */
const UNIT_STEP = 64;

/** The rows of a matrix as halves, two in a word. */
export interface PackedRows {
  /** The rows, then each row's unit (the number its halves are multiples of) four times, then all units once. */
  readonly buffer: GpuBuffer;
  readonly unit: GpuBuffer;
  /** Where the fourfold units begin, in vectors of four words. */
  readonly firstUnit: number;
  /** Vectors of four words from one row to the next. */
  readonly stride: number;
}

interface Kept extends PackedRows {
  readonly source: GpuBuffer;
  /** Version of the source's memory when it was packed. */
  readonly version: number;
}

/**
 * Matrices with their rows packed as halves, kept until the matrices are written to or freed: a convolution, its
 * gradient and the gradient by the edges gather the same rows. They take little more than half of the matrices' bytes.
 */
export class PackedMatrices {
  private readonly gpu: Gpu;
  private readonly kept = new Map<string, Kept>();

  constructor(gpu: Gpu) {
    this.gpu = gpu;
    gpu.heap.onFree(() => this.dropOld());
  }

  /** Whether a matrix fits a binding once it is packed. */
  canPack(rows: number, cols: number): boolean {
    return cols > 0 && 4 * wordsOf(rows, cols) <= this.gpu.heap.partBytes;
  }

  has(X: GpuBuffer, rows: number, cols: number): boolean {
    const kept = this.kept.get(keyOf(X, rows, cols));
    return kept !== undefined && isCurrent(kept);
  }

  /** The packed rows of X. Valid for launches before X is written to or freed. */
  of(X: GpuBuffer, rows: number, cols: number): PackedRows {
    const key = keyOf(X, rows, cols);
    const known = this.kept.get(key);
    if (known && isCurrent(known)) return known;
    this.dropOld();
    const first = firstUnitOf(rows, cols);
    const buffer = this.gpu.heap.alloc("f32", wordsOf(rows, cols));
    const repeated = buffer.window(first, 4 * rows);
    const unit = buffer.window(first + upToStep(4 * rows), rows);
    pack(this.gpu, { X, packed: buffer, repeated, unit }, rows, cols);
    const made = { buffer, unit, firstUnit: first / 4, stride: strideOf(cols), source: X, version: X.memory.version };
    this.kept.set(key, made);
    return made;
  }

  private dropOld(): void {
    for (const [key, kept] of this.kept) {
      if (isCurrent(kept)) continue;
      this.kept.delete(key);
      this.gpu.heap.free(kept.buffer);
    }
  }
}

function keyOf(X: GpuBuffer, rows: number, cols: number): string {
  return `${X.memory.id}:${X.offset}:${rows}x${cols}`;
}

function isCurrent({ source, version }: Kept): boolean {
  return source.memory.version === version && !isFreed(source);
}

function firstUnitOf(rows: number, cols: number): number {
  return upToStep(rows * wordsOfRow(cols));
}

function wordsOfRow(cols: number): number {
  return 4 * strideOf(cols);
}

/** Vectors from one row to the next. Rows of more than half a line begin at a line, so that fewer lines are read. */
function strideOf(cols: number): number {
  const { width } = wideVectors(cols);
  return width > LINE / 2 ? LINE * Math.ceil(width / LINE) : width;
}

function wordsOf(rows: number, cols: number): number {
  return firstUnitOf(rows, cols) + upToStep(4 * rows) + rows;
}

function upToStep(words: number): number {
  return Math.ceil(words / UNIT_STEP) * UNIT_STEP;
}

type Packing = Readonly<Record<"X" | "packed" | "repeated" | "unit", GpuBuffer>>;

function pack(gpu: Gpu, { X, packed, repeated, unit }: Packing, rows: number, cols: number): void {
  const { T, width, given, params } = wideVectors(cols);
  const words = wordsOfRow(cols);
  const { lanes, file } = lanesFor(gpu, width);
  rowPieces(gpu, rows, cols, (begin, count) =>
    gpu.launch({
      shader: "pack-rows",
      with: [file, given],
      constants: given === "given-vectors" ? { T, LANES: lanes } : { LANES: lanes },
      bind: {
        packed: packed.window(begin * words, count * words),
        repeated: repeated.window(4 * begin, 4 * count),
        unit: unit.window(begin, count),
        given: X.window(begin * cols, count * cols),
      },
      params: { ...params, rows: count, cols: width, stride: strideOf(cols) },
      threads: count * lanes,
    }),
  );
}
