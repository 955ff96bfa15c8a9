// The gradient of Soft Median by the features. It reads rows of G and M in random order, so it goes through them block by block: caches
// and the page table hold the rows of one block.
import { madd } from "../shared/fma";
import { scratch } from "../shared/scratch";

/** Bytes of a staged entry (offset of its row in G and M, direct, pull), entries staged at once, and rows they may belong to. */
const ENTRY: usize = 12;
const ENTRIES: usize = 512;
const ROWS: usize = 32;

/** Copies entries of row j to `to` until their column reaches `stop` or the room is full; returns where they end. */
function stageEntries(
  to: usize,
  full: usize,
  rowPtr: usize,
  next: usize,
  j: usize,
  stop: u32,
  colIdx: usize,
  order: usize,
  terms: usize,
  bytes: usize,
): usize {
  const last = (<usize>load<u32>(rowPtr + (j << 2), 4)) << 2;
  let e = (<usize>load<u32>(next + (j << 2))) << 2;
  for (; e < last && to < full; e += 4) {
    const i = load<u32>(colIdx + e);
    if (i >= stop) break;
    store<usize>(to, <usize>i * bytes);
    store<u64>(to, load<u64>(terms + ((<usize>load<u32>(order + e)) << 3)), 4);
    to += ENTRY;
  }
  store<u32>(next + (j << 2), e >> 2);
  return to;
}

/**
 * dX_j (+)= Σ_e direct_e G_i + pull_e (X_j − M_i) over the entries of row j from number next_j up to the first whose
 * column is not below `stop`; next_j then becomes the number of that entry. Entries of several rows are staged before
 * they are used, so that their loads overlap.
 */
export function pullRows(
  begin: i32,
  end: i32,
  dx: usize,
  rowPtr: usize,
  next: usize,
  stop: u32,
  colIdx: usize,
  order: usize,
  terms: usize,
  g: usize,
  m: usize,
  x: usize,
  cols: i32,
  accumulate: i32,
): void {
  const bytes = (<usize>cols) << 2;
  const ends = scratch; // where the entries of each row end
  const first = ends + (ROWS << 2);
  const full = first + ENTRIES * ENTRY;
  if (!accumulate) memory.fill(dx + <usize>begin * bytes, 0, <usize>(end - begin) * bytes);
  for (let j = <usize>begin; j < <usize>end; ) {
    let to = first;
    let rows: usize = 0;
    while (rows < ROWS && to < full && j + rows < <usize>end) {
      to = stageEntries(to, full, rowPtr, next, j + rows, stop, colIdx, order, terms, bytes);
      store<usize>(ends + (rows++ << 2), to);
    }
    let from = first;
    for (let r: usize = 0; r < rows; r++) {
      const until = load<usize>(ends + (r << 2));
      if (from < until) pullStaged(dx + (j + r) * bytes, x + (j + r) * bytes, g, m, bytes, from, until);
      from = until;
    }
    j += to < full ? rows : rows - 1; // the last row may have more entries
  }
}

/** row += Σ direct G + pull (own − M) over the staged entries. The difference is taken first: rows may be close and far from 0. */
function pullStaged(row: usize, own: usize, g: usize, m: usize, bytes: usize, from: usize, end: usize): void {
  let c: usize = 0;
  for (; c + 64 <= bytes; c += 64) pull16(row + c, own + c, g + c, m + c, from, end);
  for (; c + 16 <= bytes; c += 16) {
    const x = v128.load(own + c);
    let sum = v128.load(row + c);
    for (let e = from; e < end; e += ENTRY) {
      const at = load<usize>(e) + c;
      sum = madd(v128.load32_splat(e, 4), v128.load(g + at), sum);
      sum = madd(v128.load32_splat(e, 8), f32x4.sub(x, v128.load(m + at)), sum);
    }
    v128.store(row + c, sum);
  }
  for (; c < bytes; c += 4) {
    const x = load<f32>(own + c);
    let sum = load<f32>(row + c);
    for (let e = from; e < end; e += ENTRY) {
      const at = load<usize>(e) + c;
      sum += load<f32>(e, 4) * load<f32>(g + at) + load<f32>(e, 8) * (x - load<f32>(m + at));
    }
    store<f32>(row + c, sum);
  }
}

function pull16(row: usize, own: usize, g: usize, m: usize, from: usize, end: usize): void {
  const x0 = v128.load(own);
  const x1 = v128.load(own, 16);
  const x2 = v128.load(own, 32);
  const x3 = v128.load(own, 48);
  let s0 = v128.load(row);
  let s1 = v128.load(row, 16);
  let s2 = v128.load(row, 32);
  let s3 = v128.load(row, 48);
  for (let e = from; e < end; e += ENTRY) {
    const gi = g + load<usize>(e);
    const mi = m + load<usize>(e);
    const direct = v128.load32_splat(e, 4);
    const pull = v128.load32_splat(e, 8);
    s0 = madd(direct, v128.load(gi), s0);
    s1 = madd(direct, v128.load(gi, 16), s1);
    s2 = madd(direct, v128.load(gi, 32), s2);
    s3 = madd(direct, v128.load(gi, 48), s3);
    s0 = madd(pull, f32x4.sub(x0, v128.load(mi)), s0);
    s1 = madd(pull, f32x4.sub(x1, v128.load(mi, 16)), s1);
    s2 = madd(pull, f32x4.sub(x2, v128.load(mi, 32)), s2);
    s3 = madd(pull, f32x4.sub(x3, v128.load(mi, 48)), s3);
  }
  v128.store(row, s0);
  v128.store(row, s1, 16);
  v128.store(row, s2, 32);
  v128.store(row, s3, 48);
}

/** out_{at_ic, c} += X_ic for all rows i in order, in columns begin … end − 1: threads split the columns. */
export function scatterAddEntries(begin: i32, end: i32, out: usize, x: usize, at: usize, rows: i32, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  const first = (<usize>begin) << 2;
  const last = (<usize>end) << 2;
  for (let i = 0; i < rows; i++) {
    const row = <usize>i * bytes;
    for (let c = first; c < last; c += 4) {
      const to = load<i32>(at + row + c);
      if (to < 0) continue;
      const place = out + <usize>to * bytes + c;
      store<f32>(place, load<f32>(place) + load<f32>(x + row + c));
    }
  }
}
