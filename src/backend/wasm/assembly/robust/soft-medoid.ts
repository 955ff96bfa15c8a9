// Soft Medoid, rows begin … end − 1 of a sparse matrix. Every pair of neighbours is compared: quadratic by definition.
import { madd } from "../shared/fma";
import { exp4 } from "../shared/math";
import { dotRow } from "../shared/vector";
import { giveSlot, takeSlot } from "../shared/workspace-slots";
import { fours, pairBytes, pairDistances, weightedDifferences } from "./pair-distances";
import { LANES, padRow, slabsOf, unpadRow } from "./row-slabs";

/**
 * Bytes of a workspace for rows of up to `count` neighbours: two floats and two padded rows each, a float per pair, and
 * two rows more.
 */
export function medoidBytes(count: i32, cols: i32): i32 {
  const padded = <usize>fours(count);
  return <i32>(padded * 8 + pairBytes(count) + (2 * padded + 2) * <usize>slabsOf(cols) * LANES);
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
  const room = (<usize>fours(longest)) << 2;
  const a = work + <usize>slot * stride;
  const delta = a + room;
  const pairs = delta + room;
  const width = <usize>slabsOf(cols) * LANES;
  const y = pairs + pairBytes(longest);
  const rows = y + 2 * width;
  for (let i = begin; i < end; i++) {
    const at = (<usize>i) << 2;
    const first = (<usize>load<u32>(rowPtr + at)) << 2;
    const bytes = ((<usize>load<u32>(rowPtr + at, 4)) << 2) - first;
    gather(rows, a, x, colIdx + first, values ? values + first : 0, bytes, cols, width);
    const count = <i32>(bytes >> 2);
    pairDistances(pairs, rows, count, width);
    const across = (<usize>fours(count)) << 2;
    for (let e: usize = 0; e < bytes; e += 4) store<f32>(delta + e, dotRow(a, pairs + (e >> 2) * across, across));
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

/** Weights and padded rows of the neighbours, and 0 for those that are missing to a multiple of four. */
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
  for (let e = bytes; e & 15; e += 4) {
    store<f32>(a + e, 0);
    clear(rows + (e >> 2) * width, width);
  }
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
  const room = (<usize>fours(longest)) << 2;
  const a = work + <usize>slot * stride;
  const towards = a + room;
  const pairs = towards + room;
  const width = <usize>slabsOf(cols) * LANES;
  const g = pairs + pairBytes(longest);
  const rows = g + 2 * width;
  const sums = rows + (room >> 2) * width;
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
    }
    for (let e = bytes; e & 15; e += 4) store<f32>(towards + e, 0);
    const count = <i32>(bytes >> 2);
    const across = (<usize>fours(count)) << 2;
    pairDistances(pairs, rows, count, width);
    distancesToPulls(pairs, towards, a, across);
    weightedDifferences(sums, pairs, rows, count, width);
    for (let e: usize = 0; e < bytes; e += 4) {
      add(sums + (e >> 2) * width, g, factor * load<f32>(q + e), width);
    }
    for (let e: usize = 0; e < bytes; e += 4) {
      unpadRow(grads + (((first + e) >> 2) - firstEntry) * rowBytes, sums + (e >> 2) * width, cols);
    }
  }
  giveSlot(locks, slot);
}

/** M_jl = (t_j a_l + t_l a_j) / M_jl, and 0 for equal points. */
function distancesToPulls(m: usize, towards: usize, a: usize, across: usize): void {
  for (let j: usize = 0; j < across; j += 4) {
    const tj = v128.load32_splat(towards + j);
    const aj = v128.load32_splat(a + j);
    for (let l: usize = 0; l < across; l += 16) {
      const apart = v128.load(m);
      const pull = f32x4.add(f32x4.mul(tj, v128.load(a + l)), f32x4.mul(aj, v128.load(towards + l))); // symmetric bit by bit
      v128.store(m, v128.andnot(f32x4.div(pull, apart), f32x4.eq(apart, f32x4.splat(0))));
      m += 16;
    }
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
