// Weighted median and Soft Median, rows begin … end − 1 of a sparse matrix.
import { madd } from "./fma";
import { exp4 } from "./math";
import { firstHolder, medianSlab } from "./median";
import {
  clearLanes,
  gatherRow,
  laneSum,
  lanes,
  openNeighbourhood,
  otherLanes,
  otherScores,
  paddedRow,
  prepareMedian,
  scores,
  slab,
  weights,
  wholeWeights,
} from "./neighbourhood";
import { LANES, padRow, slabsOf, unpadRow } from "./rowslabs";
import { giveSlot, takeSlot } from "./slots";

/** `median` and, unless it is 0, `at`. */
export function weightedMedian(
  begin: i32,
  end: i32,
  median: usize,
  at: usize,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  cols: i32,
  longest: i32,
  locks: usize,
  slots: i32,
  work: usize,
  stride: usize,
): void {
  const slot = takeSlot(locks, slots);
  openNeighbourhood(work + <usize>slot * stride, longest, cols);
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) {
    const first = (<usize>load<u32>(rowPtr + ((<usize>i) << 2))) << 2;
    const count = <i32>load<u32>(rowPtr + ((<usize>i) << 2), 4) - <i32>(first >> 2);
    const sum = gatherRow(x, colIdx + first, values ? values + first : 0, count);
    const m = medianRow(count, sum);
    unpadRow(median + <usize>i * bytes, m, cols);
    const holders = paddedRow(1);
    for (let s = 0; s < slabsOf(cols); s++) {
      firstHolder(holders + <usize>s * LANES, m + <usize>s * LANES, slab(s, count), colIdx + first, count);
    }
    unpadRow(at + <usize>i * bytes, holders, cols);
  }
  giveSlot(locks, slot);
}

/** Medians of the gathered row, padded; 0 where there is no neighbour. */
function medianRow(count: i32, sum: f32): usize {
  const total = prepareMedian(count, sum);
  const m = paddedRow(0);
  const end = paddedRow(1);
  let s = 0;
  for (let to = m; to < end; to += LANES) {
    if (count > 0) medianSlab(to, slab(s++, count), wholeWeights(), weights(), count, total, <f32>1 / sum);
    else {
      v128.store(to, f32x4.splat(0));
      v128.store(to, f32x4.splat(0), 16);
    }
  }
  return m;
}

export function softMedian(
  begin: i32,
  end: i32,
  out: usize,
  median: usize,
  shares: usize,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  cols: i32,
  temperature: f32,
  longest: i32,
  locks: usize,
  slots: i32,
  work: usize,
  stride: usize,
): void {
  const slot = takeSlot(locks, slots);
  openNeighbourhood(work + <usize>slot * stride, longest, cols);
  const bytes = (<usize>cols) << 2;
  const numSlabs = slabsOf(cols);
  for (let i = begin; i < end; i++) {
    const first = (<usize>load<u32>(rowPtr + ((<usize>i) << 2))) << 2;
    const count = <i32>load<u32>(rowPtr + ((<usize>i) << 2), 4) - <i32>(first >> 2);
    const sum = gatherRow(x, colIdx + first, values ? values + first : 0, count);
    const m = medianRow(count, sum);
    unpadRow(median + <usize>i * bytes, m, cols);
    clearLanes(lanes(), count);
    for (let s = 0; s < numSlabs; s++) addDistances(slab(s, count), m + <usize>s * LANES, count);
    shareOut(shares + first, count, cols, temperature);
    for (let e = 0; e < count; e++) {
      const at = (<usize>e) << 2;
      store<f32>(scores() + at, sum * load<f32>(weights() + at) * load<f32>(shares + first + at));
    }
    const y = paddedRow(1);
    for (let s = 0; s < numSlabs; s++) weightedSum(y + <usize>s * LANES, slab(s, count), scores(), count);
    unpadRow(out + <usize>i * bytes, y, cols);
  }
  giveSlot(locks, slot);
}

/** lanes_e += (x − m)² over eight columns. */
function addDistances(from: usize, m: usize, count: i32): void {
  const m0 = v128.load(m);
  const m1 = v128.load(m, 16);
  let at = lanes();
  for (let e = 0; e < count; e++) {
    const d0 = f32x4.sub(v128.load(from), m0);
    const d1 = f32x4.sub(v128.load(from, 16), m1);
    v128.store(at, madd(d1, d1, madd(d0, d0, v128.load(at))));
    at += 16;
    from += LANES;
  }
}

/** Shares exp(−c_j / T) / Σ a exp(−c / T) of the gathered row, from the sums of squares in its lanes. */
function shareOut(shares: usize, count: i32, cols: i32, temperature: f32): void {
  const z = scores();
  const a = weights();
  const perColumn = <f32>1 / <f32>cols;
  const cold = <f32>-1 / temperature;
  let top: f32 = -Infinity;
  for (let e = 0; e < count; e++) {
    const at = (<usize>e) << 2;
    const exponent = sqrt<f32>(laneSum(lanes(), e) * perColumn) * cold;
    store<f32>(z + at, exponent);
    if (load<f32>(a + at) > 0) top = max(top, exponent);
  }
  const bytes = (<usize>count) << 2;
  if (top === -Infinity) {
    for (let at: usize = 0; at < bytes; at += 4) store<f32>(shares + at, 0); // nothing weighs anything
    return;
  }
  let sum: f32 = 0;
  for (let at: usize = 0; at < bytes; at += 16) {
    v128.store(z + at, exp4(f32x4.sub(v128.load(z + at), f32x4.splat(top))));
  }
  for (let at: usize = 0; at < bytes; at += 4) sum += load<f32>(a + at) * load<f32>(z + at);
  const scale = <f32>1 / sum;
  for (let at: usize = 0; at < bytes; at += 4) store<f32>(shares + at, load<f32>(z + at) * scale);
}

/** y = Σ_e factor_e x_e over eight columns. */
export function weightedSum(y: usize, from: usize, factors: usize, count: i32): void {
  let y0 = f32x4.splat(0);
  let y1 = y0;
  for (let e: usize = 0; e < (<usize>count) << 2; e += 4) {
    const w = v128.load32_splat(factors + e);
    y0 = madd(w, v128.load(from), y0);
    y1 = madd(w, v128.load(from, 16), y1);
    from += LANES;
  }
  v128.store(y, y0);
  v128.store(y, y1, 16);
}

/** `direct` = 0 means that only the gradient by the values is asked for, `dValues` = 0 that it is not. */
export function softMedianGrad(
  begin: i32,
  end: i32,
  dValues: usize,
  direct: usize,
  pull: usize,
  medianGrad: usize,
  holders: usize,
  dy: usize,
  median: usize,
  shares: usize,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  cols: i32,
  temperature: f32,
  longest: i32,
  locks: usize,
  slots: i32,
  work: usize,
  stride: usize,
): void {
  const slot = takeSlot(locks, slots);
  openNeighbourhood(work + <usize>slot * stride, longest, cols);
  const bytes = (<usize>cols) << 2;
  const numSlabs = slabsOf(cols);
  for (let i = begin; i < end; i++) {
    const first = (<usize>load<u32>(rowPtr + ((<usize>i) << 2))) << 2;
    const count = <i32>load<u32>(rowPtr + ((<usize>i) << 2), 4) - <i32>(first >> 2);
    const row = <usize>i * bytes;
    const sum = gatherRow(x, colIdx + first, values ? values + first : 0, count);
    const m = paddedRow(0);
    const g = paddedRow(1);
    const result = paddedRow(2);
    padRow(m, median + row, cols);
    padRow(g, dy + row, cols);
    clearLanes(lanes(), count);
    clearLanes(otherLanes(), count);
    for (let s = 0; s < numSlabs; s++) {
      const at = <usize>s * LANES;
      if (direct) addDistancesAndDots(slab(s, count), m + at, g + at, count);
      else addDots(slab(s, count), g + at, count);
    }
    entryGrads(
      dValues ? dValues + first : 0,
      direct ? direct + first : 0,
      shares + first,
      count,
      cols,
      temperature,
      sum,
    );
    if (!direct) continue;
    for (let e = 0; e < count; e++) {
      const at = (<usize>e) << 2;
      store<f32>(pull + first + at, load<f32>(otherScores() + at));
    }
    for (let s = 0; s < numSlabs; s++) {
      const at = <usize>s * LANES;
      pullMedian(result + at, g + at, slab(s, count), m + at, otherScores(), colIdx + first, count);
    }
    unpadRow(medianGrad + row, result, cols);
    unpadRow(holders + row, g, cols); // dY is no longer needed here
  }
  giveSlot(locks, slot);
}

/** otherLanes_e += g·x_e over eight columns. */
function addDots(from: usize, g: usize, count: i32): void {
  const g0 = v128.load(g);
  const g1 = v128.load(g, 16);
  let at = otherLanes();
  for (let e = 0; e < count; e++) {
    v128.store(at, madd(v128.load(from, 16), g1, madd(v128.load(from), g0, v128.load(at))));
    at += 16;
    from += LANES;
  }
}

/** Both in one pass. */
function addDistancesAndDots(from: usize, m: usize, g: usize, count: i32): void {
  const m0 = v128.load(m);
  const m1 = v128.load(m, 16);
  const g0 = v128.load(g);
  const g1 = v128.load(g, 16);
  const toDots = otherLanes() - lanes();
  let at = lanes();
  for (let e = 0; e < count; e++) {
    const x0 = v128.load(from);
    const x1 = v128.load(from, 16);
    const d0 = f32x4.sub(x0, m0);
    const d1 = f32x4.sub(x1, m1);
    v128.store(at, madd(d1, d1, madd(d0, d0, v128.load(at))));
    v128.store(at + toDots, madd(x1, g1, madd(x0, g0, v128.load(at + toDots))));
    at += 16;
    from += LANES;
  }
}

/** Gradients by the values, `direct`, and `pull` in otherScores, from the distances and dot products in the lanes. */
function entryGrads(
  dValues: usize,
  direct: usize,
  shares: usize,
  count: i32,
  cols: i32,
  temperature: f32,
  sum: f32,
): void {
  const a = weights();
  const dots = scores();
  let inner: f32 = 0; // ⟨dY_i, Σ q x⟩
  for (let e = 0; e < count; e++) {
    const at = (<usize>e) << 2;
    const dot = laneSum(otherLanes(), e);
    store<f32>(dots + at, dot);
    inner += load<f32>(a + at) * load<f32>(shares + at) * dot;
  }
  for (let e = 0; e < count; e++) {
    const at = (<usize>e) << 2;
    const share = load<f32>(shares + at);
    const excess = sum * (load<f32>(dots + at) - inner);
    if (dValues) store<f32>(dValues + at, share * excess + inner);
    if (!direct) continue;
    const q = load<f32>(a + at) * share;
    const c = sqrt<f32>(laneSum(lanes(), e) / <f32>cols);
    store<f32>(direct + at, sum * q);
    store<f32>(otherScores() + at, c === 0 ? 0 : (-q * excess) / (temperature * <f32>cols * c));
  }
}

/** y = −Σ_e pull_e (x_e − m) over eight columns, and the first neighbour that holds m, in one pass from the last to the first. */
function pullMedian(y: usize, at: usize, slab: usize, m: usize, pull: usize, colIdx: usize, count: i32): void {
  const m0 = v128.load(m);
  const m1 = v128.load(m, 16);
  let y0 = f32x4.splat(0);
  let y1 = y0;
  let j0 = i32x4.splat(-1);
  let j1 = j0;
  let from = slab + <usize>count * LANES;
  for (let e = (<usize>count) << 2; e > 0; ) {
    e -= 4;
    from -= LANES;
    const w = v128.load32_splat(pull + e);
    const j = v128.load32_splat(colIdx + e);
    const d0 = f32x4.sub(m0, v128.load(from));
    const d1 = f32x4.sub(m1, v128.load(from, 16));
    y0 = madd(w, d0, y0);
    y1 = madd(w, d1, y1);
    j0 = v128.bitselect(j, j0, f32x4.eq(d0, f32x4.splat(0)));
    j1 = v128.bitselect(j, j1, f32x4.eq(d1, f32x4.splat(0)));
  }
  v128.store(y, y0);
  v128.store(y, y1, 16);
  v128.store(at, j0);
  v128.store(at, j1, 16);
}
