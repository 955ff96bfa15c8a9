// Sparse times dense with many columns and many entries: panels of columns begin … end − 1, one packed panel of X in the
// second cache of each thread.

import { transposeFour } from "../dense/transpose";
import { giveWorkspace, takeWorkspace } from "../shared/workspaces";
import { PANEL, PANEL_ROW, packPanel, panelEntry, panelRow } from "./panel";

/** Rows of a result that are transposed at once: a cache line of every row that is written. */
const BLOCK: i32 = 16;

/** Bytes of a workspace: a panel of X, a block of rows of the result, and a dummy row for columns beyond the last. */
export function spmmPanelBytes(numCols: i32): f64 {
  return (<f64>numCols + <f64>BLOCK + 1) * <f64>PANEL_ROW;
}

/** out (+)= S·X with S of `rows` rows and `inner` columns, given as entries of panels. */
export function spmmPanels(
  begin: i32,
  end: i32,
  out: usize,
  rows: i32,
  inner: i32,
  rowPtr: usize,
  rowEnds: usize,
  entries: usize,
  x: usize,
  cols: i32,
  accumulate: i32,
  workspaces: usize,
): void {
  const panel = takeWorkspace(workspaces);
  const last = panel + <usize>inner * PANEL_ROW;
  for (let p = begin; p < end; p++) {
    const column = p * PANEL;
    const bytes = (<usize>min(PANEL, cols - column)) << 2;
    packPanel(panel, x, inner, cols, column);
    for (let i = 0; i < rows; i++) {
      const row = out + ((<usize>i * <usize>cols + <usize>column) << 2);
      if (accumulate) memory.copy(last, row, bytes);
      else memory.fill(last, 0, PANEL_ROW);
      panelRow(last, panel, panelEntry(entries, rowPtr, i), panelEntry(entries, rowEnds, i));
      memory.copy(row, last, bytes);
    }
  }
  giveWorkspace(workspaces, panel);
}

/** out = (S·X)ᵀ; the other arguments are as in {@link spmmPanels}. */
export function spmmPanelsTransposed(
  begin: i32,
  end: i32,
  out: usize,
  rows: i32,
  inner: i32,
  rowPtr: usize,
  rowEnds: usize,
  entries: usize,
  x: usize,
  cols: i32,
  workspaces: usize,
): void {
  const panel = takeWorkspace(workspaces);
  const block = panel + <usize>inner * PANEL_ROW;
  const unread = block + <usize>BLOCK * PANEL_ROW;
  const bytes = (<usize>rows) << 2;
  for (let p = begin; p < end; p++) {
    const column = p * PANEL;
    const width = min(PANEL, cols - column);
    packPanel(panel, x, inner, cols, column);
    for (let i = 0; i < rows; i += BLOCK) {
      const count = min(BLOCK, rows - i);
      memory.fill(block, 0, <usize>count * PANEL_ROW);
      for (let t = 0; t < count; t++) {
        const first = panelEntry(entries, rowPtr, i + t);
        const stop = panelEntry(entries, rowEnds, i + t);
        panelRow(block + <usize>t * PANEL_ROW, panel, first, stop);
      }
      const to = out + <usize>column * bytes + ((<usize>i) << 2);
      for (let c = 0; c < width; c += 4) {
        const row = to + <usize>c * bytes;
        transposeFour(
          row,
          c + 1 < width ? row + bytes : unread,
          c + 2 < width ? row + 2 * bytes : unread,
          c + 3 < width ? row + 3 * bytes : unread,
          block + ((<usize>c) << 2),
          PANEL_ROW,
          count,
        );
      }
    }
  }
  giveWorkspace(workspaces, panel);
}
