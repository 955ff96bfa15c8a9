// Sparse times dense and row sums, rows begin … end − 1.
import { rowBegin, rowEnd } from "../shared/sparse-rows";
import { finishRow } from "./finish-rows";
import { convolveFar, spmmFar, touchesAhead } from "./spmm-far";
import { narrowRow } from "./spmm-narrow";
import { WIDE, wideRow } from "./spmm-wide";

/** out (+)= S·X with X of `xRows` rows and `cols` columns. `values` = 0 means that every stored entry is 1. */
export function spmm(
  begin: i32,
  end: i32,
  out: usize,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  xRows: i32,
  cols: i32,
  accumulate: i32,
): void {
  const bytes = (<usize>cols) << 2;
  if (touchesAhead(xRows, bytes)) {
    spmmFar(begin, end, out, rowPtr, colIdx, values, x, bytes, accumulate);
    return;
  }
  for (let i = begin; i < end; i++) sumEntries(out + <usize>i * bytes, i, rowPtr, colIdx, values, x, bytes, accumulate);
}

/**
 * out ← relu(scale_i · (Σ_A x_j + Σ_B value_ij · x_j + x_i) + bias), row by row, so that a row is finished while a cache holds it.
 * Parts whose address is 0 are left out; relu is applied if `relu` is 1.
 */
export function convolve(
  begin: i32,
  end: i32,
  out: usize,
  aRowPtr: usize,
  aColIdx: usize,
  bRowPtr: usize,
  bColIdx: usize,
  bValues: usize,
  x: usize,
  xRows: i32,
  scale: usize,
  bias: usize,
  cols: i32,
  relu: i32,
): void {
  const bytes = (<usize>cols) << 2;
  if (touchesAhead(xRows, bytes)) {
    convolveFar(begin, end, out, aRowPtr, aColIdx, bRowPtr, bColIdx, bValues, x, scale, bias, bytes, relu);
    return;
  }
  for (let i = begin; i < end; i++) {
    const row = out + <usize>i * bytes;
    sumEntries(row, i, aRowPtr, aColIdx, 0, x, bytes, 0);
    if (bRowPtr) sumEntries(row, i, bRowPtr, bColIdx, bValues, x, bytes, 1);
    finishRow(row, x + <usize>i * bytes, scale ? load<f32>(scale + ((<usize>i) << 2)) : 1, bias, bytes, relu);
  }
}

/** row (+)= Σ value_e · X_e over the entries of row i. */
function sumEntries(
  row: usize,
  i: i32,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  bytes: usize,
  accumulate: i32,
): void {
  const first = rowBegin(rowPtr, i);
  const size = rowEnd(rowPtr, i) - first;
  if (accumulate && size === 0) return; // an overlay touches few rows
  const weights = values ? values + first : 0;
  if (bytes >= WIDE) wideRow(row, colIdx + first, weights, x, bytes, size, accumulate);
  else narrowRow(row, colIdx + first, weights, x, bytes, size, accumulate);
}

/** out_i (+)= Σ_j S_ij, or the number of entries where `values` is 0. */
export function rowSums(begin: i32, end: i32, out: usize, rowPtr: usize, values: usize, accumulate: i32): void {
  for (let i = begin; i < end; i++) {
    const at = (<usize>i) << 2;
    const first = load<u32>(rowPtr + at);
    const last = load<u32>(rowPtr + at, 4);
    let sum: f64 = accumulate ? load<f32>(out + at) : 0;
    if (values) for (let e = first; e < last; e++) sum += load<f32>(values + ((<usize>e) << 2));
    else sum += last - first;
    store<f32>(out + at, <f32>sum);
  }
}
