// Sparse times dense and row sums, rows begin … end − 1.
import { narrowRow } from "./spmm-narrow";
import { wideRow } from "./spmm-wide";

/** From this many columns on, streaming whole rows of X beats keeping the result in registers. */
const WIDE: i32 = 96;

/** out (+)= S·X with X of `cols` columns. `values` = 0 means that every stored entry is 1. */
export function spmm(
  begin: i32,
  end: i32,
  out: usize,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  cols: i32,
  accumulate: i32,
): void {
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) {
    const first = (<usize>load<u32>(rowPtr + ((<usize>i) << 2))) << 2;
    const last = (<usize>load<u32>(rowPtr + ((<usize>i) << 2), 4)) << 2;
    if (accumulate && first === last) continue; // an overlay touches few rows
    const row = out + <usize>i * bytes;
    if (cols >= WIDE) wideRow(row, colIdx, values, x, bytes, first, last, accumulate);
    else narrowRow(row, colIdx, values, x, bytes, first, last, accumulate);
  }
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
