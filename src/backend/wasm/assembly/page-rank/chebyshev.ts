// Columns of PageRank by Chebyshev iteration, panels of 32 columns begin … end − 1. A panel stays in the second cache from
// its first iterate to its last; only the result goes to memory.

import { transposeFour } from "../dense/transpose";
import { madd } from "../shared/fma";
import { giveWorkspace, takeWorkspace } from "../shared/workspaces";
import { PANEL, PANEL_ROW, packPanel, panelEntry, panelRow } from "../sparse/panel";

/** Bytes of a workspace: right sides and two iterates of a panel, and a dummy row for columns beyond the last. */
export function chebyshevBytes(n: i32): f64 {
  return 3 * <f64>n * <f64>PANEL_ROW + 4 * <f64>n;
}

/**
 * Columns first … stop − 1 of the symmetric X with (I − G)X = αI, [n, n]; columns before `first` are already solved.
 * So the rows before `first` are known by symmetry, and the other rows obey (I − G′)x = b. G′ is the part of G from
 * `first` on, and b is the column of αI plus the rest of G times the known rows. Iterates are y_1 = factor_0·b and
 * y_{k+1} = scale·G′y_k + factor_k·b − y_{k−1}. outScale times the last one is written to the columns and, from row
 * `first` on, to the rows that mirror them.
 *
 * @param split where the entries of G′ begin in each row
 */
export function chebyshevColumns(
  begin: i32,
  end: i32,
  x: usize,
  n: i32,
  first: i32,
  stop: i32,
  rowPtr: usize,
  split: usize,
  entries: usize,
  alpha: f32,
  factors: usize,
  steps: i32,
  scale: f32,
  outScale: f32,
  workspaces: usize,
): void {
  const known = takeWorkspace(workspaces);
  const size = <usize>n * PANEL_ROW;
  const skipped = <usize>first * PANEL_ROW;
  for (let panel = begin; panel < end; panel++) {
    const column = first + panel * PANEL;
    const width = min(PANEL, stop - column);
    let before = known + size;
    let now = before + size;
    memory.fill(before + skipped, 0, size - skipped);
    rightSides(known, x, n, first, column, rowPtr, split, entries);
    addDiagonal(known, column, width, alpha);
    multiply(now, known, first, n, load<f32>(factors));
    for (let k = 1; k < steps; k++) {
      const factor = load<f32>(factors + ((<usize>k) << 2));
      for (let i = first; i < n; i++) {
        const entry = panelEntry(entries, split, i);
        const last = panelEntry(entries, rowPtr, i + 1);
        nextRow(before + <usize>i * PANEL_ROW, known + <usize>i * PANEL_ROW, factor, now, entry, last, scale);
      }
      const swap = before;
      before = now;
      now = swap;
    }
    multiply(now, now, first, n, outScale);
    writeColumns(x, n, now, stop, column);
    writeRows(x, n, now, first, column, width, known + 3 * size);
  }
  giveWorkspace(workspaces, known);
}

/** The known rows of a panel of X and, from row `first` on, the part of G that multiplies them times these rows. */
function rightSides(
  known: usize,
  x: usize,
  n: i32,
  first: i32,
  column: i32,
  rowPtr: usize,
  split: usize,
  entries: usize,
): void {
  if (first > 0) packPanel(known, x, first, n, column);
  memory.fill(known + <usize>first * PANEL_ROW, 0, <usize>(n - first) * PANEL_ROW);
  if (first === 0) return;
  for (let i = first; i < n; i++) {
    const entry = panelEntry(entries, rowPtr, i);
    panelRow(known + <usize>i * PANEL_ROW, known, entry, panelEntry(entries, split, i));
  }
}

function addDiagonal(y: usize, column: i32, width: i32, value: f32): void {
  for (let c: usize = 0; c < <usize>width; c++) {
    const at = y + (<usize>column + c) * PANEL_ROW + (c << 2);
    store<f32>(at, load<f32>(at) + value);
  }
}

/** row ← scale · Σ_e value_e · (row e of the panel) + factor · side − row for the entries from `entry` to `last`. */
function nextRow(row: usize, side: usize, factor: f32, panel: usize, entry: usize, last: usize, scale: f32): void {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  let s6 = s0;
  let s7 = s0;
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
  const by = f32x4.splat(scale);
  const f = f32x4.splat(factor);
  v128.store(row, madd(by, s0, f32x4.sub(f32x4.mul(f, v128.load(side)), v128.load(row))));
  v128.store(row, madd(by, s1, f32x4.sub(f32x4.mul(f, v128.load(side, 16)), v128.load(row, 16))), 16);
  v128.store(row, madd(by, s2, f32x4.sub(f32x4.mul(f, v128.load(side, 32)), v128.load(row, 32))), 32);
  v128.store(row, madd(by, s3, f32x4.sub(f32x4.mul(f, v128.load(side, 48)), v128.load(row, 48))), 48);
  v128.store(row, madd(by, s4, f32x4.sub(f32x4.mul(f, v128.load(side, 64)), v128.load(row, 64))), 64);
  v128.store(row, madd(by, s5, f32x4.sub(f32x4.mul(f, v128.load(side, 80)), v128.load(row, 80))), 80);
  v128.store(row, madd(by, s6, f32x4.sub(f32x4.mul(f, v128.load(side, 96)), v128.load(row, 96))), 96);
  v128.store(row, madd(by, s7, f32x4.sub(f32x4.mul(f, v128.load(side, 112)), v128.load(row, 112))), 112);
}

/** out ← factor · y, rows first … n − 1 of panels. */
function multiply(out: usize, y: usize, first: i32, n: i32, factor: f32): void {
  const by = f32x4.splat(factor);
  const stop = <usize>n * PANEL_ROW;
  for (let at = <usize>first * PANEL_ROW; at < stop; at += 16) v128.store(out + at, f32x4.mul(by, v128.load(y + at)));
}

/** Rows stop … n − 1 of a panel into X, [n, n], from `column` on. */
function writeColumns(x: usize, n: i32, panel: usize, stop: i32, column: i32): void {
  // A panel of fewer columns is the last one: no row follows.
  for (let i = <usize>stop; i < <usize>n; i++) {
    const to = x + ((i * <usize>n + <usize>column) << 2);
    const from = panel + i * PANEL_ROW;
    for (let at: usize = 0; at < PANEL_ROW; at += 16) v128.store(to + at, v128.load(from + at));
  }
}

/** Columns of a panel, from row `first` on, into rows column … of X, [n, n]. */
function writeRows(x: usize, n: i32, panel: usize, first: i32, column: i32, width: i32, unread: usize): void {
  const from = panel + <usize>first * PANEL_ROW;
  for (let c = 0; c < width; c += 4) {
    transposeFour(
      rowAt(x, n, first, column, c, width, unread),
      rowAt(x, n, first, column, c + 1, width, unread),
      rowAt(x, n, first, column, c + 2, width, unread),
      rowAt(x, n, first, column, c + 3, width, unread),
      from + ((<usize>c) << 2),
      PANEL_ROW,
      n - first,
    );
  }
}

function rowAt(x: usize, n: i32, first: i32, column: i32, c: i32, width: i32, unread: usize): usize {
  return c < width ? x + ((<usize>(column + c) * <usize>n + <usize>first) << 2) : unread;
}
