// Panels: 32 columns of a dense matrix, packed, so that a product which visits its rows in any order stays in the second
// cache. The sparse factor comes as pairs (byte offset of a row in the panel, value), eight bytes each.

import { madd } from "../shared/fma";

/** Columns of a panel and the bytes of one of its rows. */
export const PANEL: i32 = 32;
export const PANEL_ROW: usize = 128;

/** Address of entry numbers_i: with rowPtr or rowEnds as `numbers`, where row i of panel entries begins or ends. */
export function panelEntry(entries: usize, numbers: usize, i: i32): usize {
  return entries + ((<usize>load<u32>(numbers + ((<usize>i) << 2))) << 3);
}

/** row += Σ_e value_e · (row e of the panel) for the entries from `entry` to `last`. */
export function panelRow(row: usize, panel: usize, entry: usize, last: usize): void {
  let s0 = v128.load(row);
  let s1 = v128.load(row, 16);
  let s2 = v128.load(row, 32);
  let s3 = v128.load(row, 48);
  let s4 = v128.load(row, 64);
  let s5 = v128.load(row, 80);
  let s6 = v128.load(row, 96);
  let s7 = v128.load(row, 112);
  for (; entry < last; entry += 8) {
    const from = panel + <usize>load<u32>(entry);
    const w = v128.load32_splat(entry, 4);
    s0 = madd(w, v128.load(from), s0);
    s1 = madd(w, v128.load(from, 16), s1);
    s2 = madd(w, v128.load(from, 32), s2);
    s3 = madd(w, v128.load(from, 48), s3);
    s4 = madd(w, v128.load(from, 64), s4);
    s5 = madd(w, v128.load(from, 80), s5);
    s6 = madd(w, v128.load(from, 96), s6);
    s7 = madd(w, v128.load(from, 112), s7);
  }
  v128.store(row, s0);
  v128.store(row, s1, 16);
  v128.store(row, s2, 32);
  v128.store(row, s3, 48);
  v128.store(row, s4, 64);
  v128.store(row, s5, 80);
  v128.store(row, s6, 96);
  v128.store(row, s7, 112);
}

/**
 * Writes the entries of a sparse matrix for panels, row by row from rowPtr[i] to rowEnds[i]. Consecutive entries of a
 * row with the same column become one.
 */
export function panelEntries(
  rowEnds: usize,
  entries: usize,
  rows: i32,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
): void {
  for (let i = 0; i < rows; i++) {
    const at = (<usize>i) << 2;
    const first = load<u32>(rowPtr + at);
    const last = load<u32>(rowPtr + at, 4);
    let to = entries + ((<usize>first) << 3);
    let before: u32 = u32.MAX_VALUE;
    for (let e = first; e < last; e++) {
      const j = load<u32>(colIdx + ((<usize>e) << 2));
      const value: f32 = values ? load<f32>(values + ((<usize>e) << 2)) : 1;
      if (j === before) {
        store<f32>(to - 4, load<f32>(to - 4) + value);
        continue;
      }
      store<u32>(to, <u32>(<usize>j * PANEL_ROW));
      store<f32>(to, value, 4);
      to += 8;
      before = j;
    }
    store<u32>(rowEnds + at, <u32>((to - entries) >> 3));
  }
}

/** Columns `column` … of X, [rows, cols], as a panel; columns beyond the last are 0. */
export function packPanel(panel: usize, x: usize, rows: i32, cols: i32, column: i32): void {
  const bytes = (<usize>cols) << 2;
  const width = min(PANEL, cols - column);
  let from = x + ((<usize>column) << 2);
  const end = panel + <usize>rows * PANEL_ROW;
  if (width === PANEL) {
    for (; panel < end; panel += PANEL_ROW, from += bytes) {
      for (let at: usize = 0; at < PANEL_ROW; at += 16) v128.store(panel + at, v128.load(from + at));
    }
    return;
  }
  memory.fill(panel, 0, <usize>rows * PANEL_ROW);
  for (; panel < end; panel += PANEL_ROW, from += bytes) memory.copy(panel, from, (<usize>width) << 2);
}
