import type { Gpu } from "../device/gpu.ts";

/** Rows of 64: the offset of such a row in bytes is one that a binding may start at. */
const ROW_STEP = 64;

/**
 * Works through the rows of a [rows, cols] matrix, in as few pieces as fit a binding: one, unless the matrix is larger
 * than the 2 GiB that devices bind at once.
 */
export function rowPieces(gpu: Gpu, rows: number, cols: number, launch: (begin: number, count: number) => void): void {
  const step = rowsPerBinding(gpu, cols);
  for (let begin = 0; begin < rows; begin += step) launch(begin, Math.min(step, rows - begin));
}

export function rowsPerBinding(gpu: Gpu, cols: number): number {
  const bytes = Math.min(gpu.maxBinding, 2 ** 31 - 2 ** 16);
  return Math.max(1, Math.floor(bytes / (4 * Math.max(cols, 1) * ROW_STEP))) * ROW_STEP;
}
