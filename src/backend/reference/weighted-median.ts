import type { Buffer, CsrBuffers } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { floats, ints } from "./storage.ts";

export function weightedMedian(median: Buffer, at: Buffer, S: CsrBuffers, X: Buffer, cols: number): void {
  const name = "weightedMedian";
  const { rowPtr, colIdx, values } = csrArrays(name, S);
  const m = floats(name, "median", median, S.numRows * cols);
  const column = ints(name, "at", at, S.numRows * cols);
  const x = floats(name, "X", X, S.numCols * cols);
  for (let i = 0; i < S.numRows; i++) {
    const row = { first: rowPtr[i], last: rowPtr[i + 1], colIdx, values };
    for (let c = 0; c < cols; c++) {
      const j = medianColumn(row, (node) => x[node * cols + c]);
      column[i * cols + c] = j;
      m[i * cols + c] = j < 0 ? 0 : x[j * cols + c];
    }
  }
}

/** The entries of one row: positions first … last − 1. */
export interface Row {
  readonly first: number;
  readonly last: number;
  readonly colIdx: Int32Array;
  readonly values: Float64Array | null;
}

/** Lowest column that holds the lower weighted median of `value`, or −1 in an empty row. */
export function medianColumn({ first, last, colIdx, values }: Row, value: (column: number) => number): number {
  const entries = Array.from({ length: last - first }, (_, t) => first + t);
  const weights = fixedPoint(entries.map((e) => (values ? values[e] : 1)));
  const total = weights.reduce((sum, w) => sum + w, 0);
  const order = entries.sort((d, e) => value(colIdx[d]) - value(colIdx[e]) || d - e);
  let cumulated = 0;
  for (const e of order) {
    cumulated += weights[e - first];
    if (2 * cumulated < total) continue;
    return colIdx[order.find((d) => value(colIdx[d]) === value(colIdx[e]))!];
  }
  return -1;
}

/**
 * Weights rounded to multiples of a power of two, as whole numbers: their sums are exact in any order, so that ties
 * between two halves of a row are found exactly. The sum has up to 52 bits, more than a 32-bit weight.
 */
function fixedPoint(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, w) => sum + w, 0);
  if (!(total > 0)) return weights.map(() => 0);
  const unit = 2 ** (Math.floor(Math.log2(total)) - 50);
  return weights.map((w) => Math.round(w / unit));
}
