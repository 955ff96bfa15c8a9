// Sparse times dense with many columns and many entries: panels of columns begin … end − 1, one packed panel of X in the
// second cache of each thread.
import { PANEL, PANEL_ROW, packPanel, panelRow } from "./panel";
import { giveSlot, takeSlot } from "./slots";

/** Bytes of a workspace: a panel of X and a row of the result. */
export function spmmPanelBytes(numCols: i32): f64 {
  return (<f64>numCols + 1) * <f64>PANEL_ROW;
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
  locks: usize,
  slots: i32,
  work: usize,
  stride: usize,
): void {
  const slot = takeSlot(locks, slots);
  const panel = work + <usize>slot * stride;
  const last = panel + <usize>inner * PANEL_ROW;
  for (let p = begin; p < end; p++) {
    const column = p * PANEL;
    const bytes = (<usize>min(PANEL, cols - column)) << 2;
    packPanel(panel, x, inner, cols, column);
    for (let i = 0; i < rows; i++) {
      const at = (<usize>i) << 2;
      const row = out + ((<usize>i * <usize>cols + <usize>column) << 2);
      const first = entries + ((<usize>load<u32>(rowPtr + at)) << 3);
      const stop = entries + ((<usize>load<u32>(rowEnds + at)) << 3);
      if (accumulate) memory.copy(last, row, bytes);
      else memory.fill(last, 0, PANEL_ROW);
      panelRow(last, panel, first, stop);
      memory.copy(row, last, bytes);
    }
  }
  giveSlot(locks, slot);
}
