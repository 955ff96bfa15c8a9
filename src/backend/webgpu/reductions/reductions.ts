import type { Backend } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { rowPieces, rowsPerBinding } from "../shared/row-pieces.ts";

/** Most parts of a reduction; a second launch adds them up. */
const MAX_PARTS = 1024;
const MAX_ROW_CHUNKS = 256;
/** Least elements per part. */
const PER_PART = 8 * WORKGROUP;

/** Kinds of reductions, numbered as in `reduce.wgsl`. */
const REDUCE = { dot: 0, sum: 1, max: 2, countEqual: 3 } as const;
type Kind = keyof typeof REDUCE;

type Reductions = Pick<Backend, "dot" | "max" | "countEqual" | "colDots">;

/** Reductions: fixed chunks, each added up in a fixed order (rule R1). */
export function reductions(gpu: Gpu): Reductions {
  return { dot: dot(gpu), max: max(gpu), countEqual: countEqual(gpu), colDots: colDots(gpu) };
}

function dot(gpu: Gpu): Backend["dot"] {
  return (out, A, B) => {
    const y = gpu.floats("dot", "out", out, 1);
    const a = gpu.floats("dot", "A", A);
    reduce(gpu, B ? "dot" : "sum", y, a, gpu.floatsOrNone("dot", "B", B, A.length));
  };
}

function max(gpu: Gpu): Backend["max"] {
  return (out, X) => reduce(gpu, "max", gpu.floats("max", "out", out, 1), gpu.floats("max", "X", X), null);
}

function countEqual(gpu: Gpu): Backend["countEqual"] {
  return (out, A, B) => {
    const y = gpu.floats("countEqual", "out", out, 1);
    const a = gpu.ints("countEqual", "A", A);
    reduce(gpu, "countEqual", y, a, gpu.ints("countEqual", "B", B, A.length));
  };
}

function reduce(gpu: Gpu, kind: Kind, out: GpuBuffer, A: GpuBuffer, B: GpuBuffer | null): void {
  const { length } = A;
  const parts = Math.min(MAX_PARTS, Math.ceil(length / PER_PART));
  if (parts <= 1) {
    reduceParts(gpu, { kind, out, A, B, length, parts: 1 });
    return;
  }
  gpu.borrow({ partial: { f32: parts } }, ({ partial }) => {
    reduceParts(gpu, { kind, out: partial, A, B, length, parts });
    const numParts = Math.ceil(length / Math.ceil(length / parts));
    reduceParts(gpu, { kind: kind === "max" ? "max" : "sum", out, A: partial, B: null, length: numParts, parts: 1 });
  });
}

interface Reduction {
  readonly kind: Kind;
  /** Receives a number per part. */
  readonly out: GpuBuffer;
  readonly A: GpuBuffer;
  readonly B: GpuBuffer | null;
  readonly length: number;
  readonly parts: number;
}

function reduceParts(gpu: Gpu, { kind, out, A, B, length, parts }: Reduction): void {
  gpu.launch({
    shader: "reduce",
    constants: { T: kind === "countEqual" ? "u32" : "f32", KIND: REDUCE[kind] },
    bind: { parts: out, A, B },
    params: { length, chunk: Math.max(1, Math.ceil(length / parts)), lowest: Number.NEGATIVE_INFINITY },
    groups: parts,
  });
}

function colDots(gpu: Gpu): Backend["colDots"] {
  return (out, A, B, rows, cols) => {
    const y = gpu.floats("colDots", "out", out, cols);
    const a = gpu.floats("colDots", "A", A, rows * cols);
    const b = gpu.floatsOrNone("colDots", "B", B, rows * cols);
    columnDots(gpu, { out: y, A: a, B: b, rows, cols, width: cols });
  };
}

/** Column sums of matrices side by side, `width` columns each and `cols` in all. */
export interface ColumnDots {
  readonly out: GpuBuffer;
  readonly A: GpuBuffer;
  readonly B: GpuBuffer | null;
  readonly rows: number;
  readonly cols: number;
  readonly width: number;
}

export function columnDots(gpu: Gpu, { out, A, B, rows, cols, width }: ColumnDots): void {
  const chunk = Math.max(64, Math.ceil(rows / MAX_ROW_CHUNKS / 64) * 64);
  const chunks = Math.ceil(rows / chunk);
  if (chunks <= 1) {
    sumColumns(gpu, { parts: out, A, B, rows, cols, width, chunk, firstPart: 0 });
    return;
  }
  const pieces = Math.ceil(rows / rowsPerBinding(gpu, cols)); // each may have a shorter chunk at its end
  gpu.borrow({ parts: { f32: (chunks + pieces) * cols } }, ({ parts }) => {
    let firstPart = 0;
    rowPieces(gpu, rows, cols, (begin, count) => {
      const from = begin * cols;
      const size = count * cols;
      const piece = { A: A.window(from, size), B: B?.window(from, size) ?? null };
      sumColumns(gpu, { parts, ...piece, rows: count, cols, width, chunk, firstPart });
      firstPart += Math.ceil(count / chunk);
    });
    const numParts = firstPart;
    sumColumns(gpu, {
      parts: out,
      A: parts,
      B: null,
      rows: numParts,
      cols,
      width,
      chunk: Math.max(numParts, 1),
      firstPart: 0,
    });
  });
}

interface ColumnSums {
  /** Receives a row per chunk, from row `firstPart` on. */
  readonly parts: GpuBuffer;
  readonly A: GpuBuffer;
  readonly B: GpuBuffer | null;
  readonly rows: number;
  readonly cols: number;
  readonly width: number;
  /** Rows that are added up together. */
  readonly chunk: number;
  readonly firstPart: number;
}

function sumColumns(gpu: Gpu, { parts, A, B, rows, cols, width, chunk, firstPart }: ColumnSums): void {
  let COLS = 1; // determines the order in which rows are added up, so it depends on the width of one matrix
  while (COLS < width && COLS < 64) COLS *= 2;
  const colGroups = Math.ceil(cols / COLS);
  gpu.launch({
    shader: "col-dots",
    constants: { COLS, HAS_B: Number(B !== null) },
    bind: { parts, A, B },
    params: { rows, cols, chunkRows: chunk, colGroups, firstPart },
    groups: Math.max(1, Math.ceil(rows / chunk)) * colGroups,
  });
}
