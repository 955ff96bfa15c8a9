// Sparse products where no cache holds X: its rows are prefetched in bursts that span several rows of the result, because most rows are too
// short to keep memory busy. The loops without prefetching are in `spmm.ts`: a shared loop cost small graphs 10 to 20 %.

import { isFar, touchRows } from "../shared/touch-rows";
import { finishRow } from "./finish-rows";
import { narrowRow } from "./spmm-narrow";
import { WIDE, wideRow } from "./spmm-wide";

/**
 * Whether rows of X are touched before they are added up. Not if the last slab of a narrow row has one to four columns:
 * its four running sums would add in another order if a row were added up in parts.
 */
export function touchesAhead(xRows: i32, bytes: usize): bool {
  const left = bytes & 31;
  return isFar(xRows, bytes) && (bytes >= WIDE || left === 0 || left > 16);
}

/** As `spmm`. */
export function spmmFar(
  begin: i32,
  end: i32,
  out: usize,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  bytes: usize,
  accumulate: i32,
): void {
  const stop = entriesBefore(rowPtr, end);
  let touched = entriesBefore(rowPtr, begin);
  for (let i = begin; i < end; i++) {
    const row = out + <usize>i * bytes;
    touched = sumEntries(row, i, rowPtr, colIdx, values, x, bytes, accumulate, touched, stop);
  }
}

/** As `convolve`. */
export function convolveFar(
  begin: i32,
  end: i32,
  out: usize,
  aRowPtr: usize,
  aColIdx: usize,
  bRowPtr: usize,
  bColIdx: usize,
  bValues: usize,
  x: usize,
  scale: usize,
  bias: usize,
  bytes: usize,
  relu: i32,
): void {
  const aStop = entriesBefore(aRowPtr, end);
  const bStop = bRowPtr ? entriesBefore(bRowPtr, end) : 0;
  let aTouched = entriesBefore(aRowPtr, begin);
  let bTouched = bRowPtr ? entriesBefore(bRowPtr, begin) : 0;
  for (let i = begin; i < end; i++) {
    const row = out + <usize>i * bytes;
    aTouched = sumEntries(row, i, aRowPtr, aColIdx, 0, x, bytes, 0, aTouched, aStop);
    if (bRowPtr) bTouched = sumEntries(row, i, bRowPtr, bColIdx, bValues, x, bytes, 1, bTouched, bStop);
    finishRow(row, x + <usize>i * bytes, scale ? load<f32>(scale + ((<usize>i) << 2)) : 1, bias, bytes, relu);
  }
}

/** Entries in the rows before row i. */
function entriesBefore(rowPtr: usize, i: i32): i32 {
  return load<i32>(rowPtr + ((<usize>i) << 2));
}

/**
 * row (+)= Σ value_e · X_e over the entries of row i, in parts: a multiple of four entries whose rows of X are touched,
 * then the next burst. Rows of X are touched for all entries before `touched`; returns the new `touched`. Bursts end at
 * entry `stop`.
 */
function sumEntries(
  row: usize,
  i: i32,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  bytes: usize,
  accumulate: i32,
  touched: i32,
  stop: i32,
): i32 {
  let first = entriesBefore(rowPtr, i);
  const last = entriesBefore(rowPtr, i + 1);
  if (accumulate && first === last) return touched; // an overlay has entries in few rows
  do {
    if (touched < last && touched - first < 4) {
      touched += touchRows(x, colIdx + ((<usize>touched) << 2), stop - touched, bytes);
    }
    const end = touched < last ? first + ((touched - first) & ~3) : last;
    const from = (<usize>first) << 2;
    const size = (<usize>(end - first)) << 2;
    const weights = values ? values + from : 0;
    if (bytes >= WIDE) wideRow(row, colIdx + from, weights, x, bytes, size, accumulate);
    else narrowRow(row, colIdx + from, weights, x, bytes, size, accumulate);
    accumulate = 1;
    first = end;
  } while (first < last);
  return touched;
}
