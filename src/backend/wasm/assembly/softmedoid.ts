// Soft Medoid, rows begin … end − 1 of a sparse matrix. Every pair of neighbours is compared: quadratic by definition.
import { madd } from "./fma";
import { exp4 } from "./math";
import { LANES, padRow, slabsOf, unpadRow } from "./rowslabs";
import { giveSlot, takeSlot } from "./slots";
import { dotRow, sum4 } from "./vector";

/** Bytes of a workspace for rows of up to `count` neighbours: three floats and two padded rows each, and two rows more. */
export function medoidBytes(count: i32, cols: i32): i32 {
  return <i32>(<usize>((count + 3) & ~3) * 12 + <usize>(2 * count + 2) * <usize>slabsOf(cols) * LANES);
}

export function softMedoid(
  begin: i32,
  end: i32,
  out: usize,
  shares: usize,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  scale: usize,
  cols: i32,
  temperature: f32,
  weightCorrection: i32,
  longest: i32,
  locks: usize,
  slots: i32,
  work: usize,
  stride: usize,
): void {
  const slot = takeSlot(locks, slots);
  const a = work + <usize>slot * stride;
  const delta = a + ((<usize>((longest + 3) & ~3)) << 2);
  const width = <usize>slabsOf(cols) * LANES;
  const y = a + <usize>((longest + 3) & ~3) * 12;
  const rows = y + 2 * width;
  for (let i = begin; i < end; i++) {
    const at = (<usize>i) << 2;
    const first = (<usize>load<u32>(rowPtr + at)) << 2;
    const bytes = ((<usize>load<u32>(rowPtr + at, 4)) << 2) - first;
    gather(rows, a, x, colIdx + first, values ? values + first : 0, bytes, cols, width);
    for (let e: usize = 0; e < bytes; e += 4) store<f32>(delta + e, 0);
    for (let j: usize = 0; j < bytes; j += 4) {
      for (let l = j + 4; l < bytes; l += 4) {
        const apart = distance(rows + (j >> 2) * width, rows + (l >> 2) * width, width);
        store<f32>(delta + j, load<f32>(delta + j) + load<f32>(a + l) * apart);
        store<f32>(delta + l, load<f32>(delta + l) + load<f32>(a + j) * apart);
      }
    }
    shareOut(shares + first, delta, a, bytes, temperature, weightCorrection);
    const factor = load<f32>(scale + at);
    clear(y, width);
    for (let e: usize = 0; e < bytes; e += 4) {
      add(y, rows + (e >> 2) * width, factor * load<f32>(shares + first + e), width);
    }
    unpadRow(out + <usize>i * ((<usize>cols) << 2), y, cols);
  }
  giveSlot(locks, slot);
}

/** Weights and padded rows of the neighbours. */
function gather(
  rows: usize,
  a: usize,
  x: usize,
  colIdx: usize,
  values: usize,
  bytes: usize,
  cols: i32,
  width: usize,
): void {
  for (let e: usize = 0; e < bytes; e += 4) {
    store<f32>(a + e, values ? load<f32>(values + e) : 1);
    padRow(rows + (e >> 2) * width, x + <usize>load<u32>(colIdx + e) * ((<usize>cols) << 2), cols);
  }
}

/** ‖x − y‖ over whole slabs. */
function distance(x: usize, y: usize, width: usize): f32 {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  for (let at: usize = 0; at < width; at += 32) {
    const d0 = f32x4.sub(v128.load(x + at), v128.load(y + at));
    const d1 = f32x4.sub(v128.load(x + at, 16), v128.load(y + at, 16));
    s0 = madd(d0, d0, s0);
    s1 = madd(d1, d1, s1);
  }
  return sqrt<f32>(sum4(f32x4.add(s0, s1)));
}

/** q = softmax(−δ / T), times the weights and normalised again if they count. Overwrites δ. */
function shareOut(q: usize, delta: usize, a: usize, bytes: usize, temperature: f32, weightCorrection: i32): void {
  const cold = <f32>-1 / temperature;
  let top: f32 = -Infinity;
  for (let e: usize = 0; e < bytes; e += 4) {
    const exponent = load<f32>(delta + e) * cold;
    store<f32>(delta + e, exponent);
    if (!weightCorrection || load<f32>(a + e) > 0) top = max(top, exponent);
  }
  let sum: f32 = 0;
  for (let e: usize = 0; e < bytes; e += 16) {
    v128.store(delta + e, exp4(f32x4.sub(v128.load(delta + e), f32x4.splat(top))));
  }
  for (let e: usize = 0; e < bytes; e += 4) {
    const weight = weightCorrection ? load<f32>(a + e) : 1;
    const share: f32 = weight > 0 ? load<f32>(delta + e) * weight : 0;
    store<f32>(q + e, share);
    sum += share;
  }
  if (sum > 0) for (let e: usize = 0; e < bytes; e += 4) store<f32>(q + e, load<f32>(q + e) / sum);
}

/**
 * Gradients by the neighbours' rows, one row of `cols` per entry of rows firstRow + begin … firstRow + end − 1, from
 * the first entry of firstRow on; whoever calls adds them up per column.
 */
export function softMedoidGrad(
  begin: i32,
  end: i32,
  grads: usize,
  firstRow: i32,
  dy: usize,
  shares: usize,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  scale: usize,
  cols: i32,
  temperature: f32,
  longest: i32,
  locks: usize,
  slots: i32,
  work: usize,
  stride: usize,
): void {
  const slot = takeSlot(locks, slots);
  const room = (<usize>((longest + 3) & ~3)) << 2;
  const a = work + <usize>slot * stride;
  const towards = a + room;
  const width = <usize>slabsOf(cols) * LANES;
  const g = a + 3 * room;
  const rows = g + 2 * width;
  const sums = rows + <usize>longest * width;
  const rowBytes = (<usize>cols) << 2;
  const firstEntry = <usize>load<u32>(rowPtr + ((<usize>firstRow) << 2));
  for (let row = begin; row < end; row++) {
    const i = firstRow + row;
    const at = (<usize>i) << 2;
    const first = (<usize>load<u32>(rowPtr + at)) << 2;
    const bytes = ((<usize>load<u32>(rowPtr + at, 4)) << 2) - first;
    const q = shares + first;
    const factor = load<f32>(scale + at);
    gather(rows, a, x, colIdx + first, values ? values + first : 0, bytes, cols, width);
    padRow(g, dy + <usize>i * rowBytes, cols);
    let mean: f32 = 0;
    for (let e: usize = 0; e < bytes; e += 4) {
      const dot = factor * dotRow(g, rows + (e >> 2) * width, width);
      store<f32>(towards + e, dot);
      mean += load<f32>(q + e) * dot;
    }
    for (let e: usize = 0; e < bytes; e += 4) {
      store<f32>(towards + e, (-load<f32>(q + e) * (load<f32>(towards + e) - mean)) / temperature);
      const sum = sums + (e >> 2) * width;
      clear(sum, width);
      add(sum, g, factor * load<f32>(q + e), width);
    }
    for (let j: usize = 0; j < bytes; j += 4) {
      for (let l = j + 4; l < bytes; l += 4) {
        const nj = (j >> 2) * width;
        const nl = (l >> 2) * width;
        const apart = distance(rows + nj, rows + nl, width);
        if (apart === 0) continue;
        const pull = load<f32>(towards + j) * load<f32>(a + l) + load<f32>(towards + l) * load<f32>(a + j);
        pullApart(sums + nj, sums + nl, rows + nj, rows + nl, pull / apart, width);
      }
    }
    for (let e: usize = 0; e < bytes; e += 4) {
      unpadRow(grads + (((first + e) >> 2) - firstEntry) * rowBytes, sums + (e >> 2) * width, cols);
    }
  }
  giveSlot(locks, slot);
}

/** sumJ += pull (x_j − x_l), sumL −= the same. */
function pullApart(sumJ: usize, sumL: usize, xj: usize, xl: usize, pull: f32, width: usize): void {
  const w = f32x4.splat(pull);
  for (let at: usize = 0; at < width; at += 16) {
    const term = f32x4.mul(w, f32x4.sub(v128.load(xj + at), v128.load(xl + at)));
    v128.store(sumJ + at, f32x4.add(v128.load(sumJ + at), term));
    v128.store(sumL + at, f32x4.sub(v128.load(sumL + at), term));
  }
}

function clear(row: usize, width: usize): void {
  for (let at: usize = 0; at < width; at += 16) v128.store(row + at, f32x4.splat(0));
}

/** row += factor · x. */
function add(row: usize, x: usize, factor: f32, width: usize): void {
  const w = f32x4.splat(factor);
  for (let at: usize = 0; at < width; at += 16) {
    v128.store(row + at, madd(w, v128.load(x + at), v128.load(row + at)));
  }
}
