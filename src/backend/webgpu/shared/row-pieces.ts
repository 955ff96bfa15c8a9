import type { Gpu } from "../device/gpu.ts";

/** Pieces begin at multiples of 64 rows: their offsets in bytes are multiples of 256, as a binding's must be. */
const ROW_STEP = 64;

/**
 * Splits the rows of a [rows, cols] matrix, or of several matrices of different widths, into as few pieces as possible
 * that fit a binding each: one, unless a matrix is larger than the 2 GiB that devices bind at once.
 */
export function rowPieces(
  gpu: Gpu,
  rows: number,
  cols: number | readonly number[],
  launch: (begin: number, count: number) => void,
): void {
  const widths = typeof cols === "number" ? [cols] : cols;
  for (let begin = 0; begin < rows; ) {
    let end = rows;
    for (const width of widths) {
      const step = rowsPerBinding(gpu, width);
      end = Math.min(end, (Math.floor(begin / step) + 1) * step);
    }
    launch(begin, end - begin);
    begin = end;
  }
}

export function rowsPerBinding(gpu: Gpu, cols: number): number {
  return Math.max(1, Math.floor(gpu.heap.partBytes / (4 * Math.max(cols, 1) * ROW_STEP))) * ROW_STEP;
}
