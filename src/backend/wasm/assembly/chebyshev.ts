// Chebyshev iterates of columns of PageRank, panels of 32 columns begin … end − 1. A panel stays in the second cache from
// its first iterate to its last; only the result goes to memory.
import { PANEL, PANEL_ROW, panelRow } from "./panel";
import { giveSlot, takeSlot } from "./slots";
import { fourRows } from "./transpose";

/** Bytes of a workspace: two iterates of a panel, and a row that nobody reads. */
export function chebyshevBytes(n: i32): f64 {
  return 2 * <f64>n * <f64>PANEL_ROW + 4 * <f64>n;
}

/**
 * Rows columns_t of `out`, [n, n], for `count` columns t: row j is outScale ∘ column j of the last of the iterates
 * y_1 = factor_0 · diag(start), y_{k+1} = S·y_k − y_{k−1} + factor_k · diag(start), y_0 = 0.
 */
export function chebyshevColumns(
  begin: i32,
  end: i32,
  out: usize,
  n: i32,
  columns: usize,
  count: i32,
  rowPtr: usize,
  rowEnds: usize,
  entries: usize,
  start: usize,
  factors: usize,
  steps: i32,
  outScale: usize,
  locks: usize,
  slots: i32,
  work: usize,
  stride: usize,
): void {
  const slot = takeSlot(locks, slots);
  const first = work + <usize>slot * stride;
  const second = first + <usize>n * PANEL_ROW;
  const unread = second + <usize>n * PANEL_ROW;
  for (let panel = begin; panel < end; panel++) {
    const own = columns + ((<usize>(panel * PANEL)) << 2);
    const width = min(PANEL, count - panel * PANEL);
    memory.fill(first, 0, <usize>n * PANEL_ROW * 2);
    let before = first;
    let now = second;
    addDiagonal(now, own, width, start, load<f32>(factors));
    for (let k = 1; k < steps; k++) {
      iterate(before, now, n, rowPtr, rowEnds, entries);
      addDiagonal(before, own, width, start, load<f32>(factors + ((<usize>k) << 2)));
      const swap = before;
      before = now;
      now = swap;
    }
    scaleRows(now, n, outScale);
    for (let c = 0; c < width; c += 4) {
      fourRows(
        rowAt(out, n, own, c, width, unread),
        rowAt(out, n, own, c + 1, width, unread),
        rowAt(out, n, own, c + 2, width, unread),
        rowAt(out, n, own, c + 3, width, unread),
        now + ((<usize>c) << 2),
        PANEL_ROW,
        n,
      );
    }
  }
  giveSlot(locks, slot);
}

function rowAt(out: usize, n: i32, columns: usize, c: i32, width: i32, unread: usize): usize {
  if (c >= width) return unread;
  return out + ((<usize>load<u32>(columns + ((<usize>c) << 2)) * <usize>n) << 2);
}

function addDiagonal(y: usize, columns: usize, width: i32, start: usize, factor: f32): void {
  for (let c: usize = 0; c < (<usize>width) << 2; c += 4) {
    const j = <usize>load<u32>(columns + c);
    const at = y + j * PANEL_ROW + c;
    store<f32>(at, load<f32>(at) + factor * load<f32>(start + (j << 2)));
  }
}

/** before ← S·now − before. */
function iterate(before: usize, now: usize, n: i32, rowPtr: usize, rowEnds: usize, entries: usize): void {
  for (let i = 0; i < n; i++) {
    const at = (<usize>i) << 2;
    const first = entries + ((<usize>load<u32>(rowPtr + at)) << 3);
    const last = entries + ((<usize>load<u32>(rowEnds + at)) << 3);
    panelRow(before + <usize>i * PANEL_ROW, now, first, last, -1);
  }
}

function scaleRows(y: usize, n: i32, scale: usize): void {
  for (let i = 0; i < n; i++) {
    const s = v128.load32_splat(scale + ((<usize>i) << 2));
    const row = y + <usize>i * PANEL_ROW;
    for (let at: usize = 0; at < PANEL_ROW; at += 16) v128.store(row + at, f32x4.mul(s, v128.load(row + at)));
  }
}
