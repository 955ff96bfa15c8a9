// Weighted median and Soft Median, rows begin … end − 1 of a sparse matrix.
import { bracketMedian, MOST, openBrackets } from "./bracketmedian";
import { madd } from "./fma";
import { exp4 } from "./math";
import { firstHolder, medianSlab } from "./median";
import {
  brackets,
  clearLanes,
  gatherRow,
  laneSums,
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
import { max4, sum4 } from "./vector";

/** `median` and `at`. */
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
    medianRow(colIdx + first, count, sum);
    unpadRow(median + <usize>i * bytes, paddedRow(0), cols);
    unpadRow(at + <usize>i * bytes, paddedRow(1), cols);
  }
  giveSlot(locks, slot);
}

/** Medians of the gathered row and their holders, padded: rows 0 and 1; 0 and −1 where there is no neighbour. */
function medianRow(colIdx: usize, count: i32, sum: f32): void {
  const total = prepareMedian(count, sum);
  const heavy = heaviest(wholeWeights(), count, total);
  const quick = heavy < 0 && count <= MOST;
  const upperTotal = quick ? openBrackets(brackets(), wholeWeights(), count) : 0;
  const end = paddedRow(1);
  let at = end;
  let s = 0;
  for (let m = paddedRow(0); m < end; m += LANES) {
    if (count === 0) noMedian(m, at);
    else medianAndHolder(m, at, slab(s++, count), colIdx, count, sum, total, heavy, quick, upperTotal);
    at += LANES;
  }
}

/** The neighbour with more than half of all the weight, which is the median in every column, or −1. */
function heaviest(weights: usize, count: i32, total: i32): i32 {
  for (let e = 0; e < count; e++) if (2 * load<i32>(weights + ((<usize>e) << 2)) > total) return e;
  return -1;
}

function medianAndHolder(
  m: usize,
  at: usize,
  x: usize,
  colIdx: usize,
  count: i32,
  sum: f32,
  total: i32,
  heavy: i32,
  quick: bool,
  upperTotal: i32,
): void {
  const w = wholeWeights();
  if (quick && bracketMedian(m, at, brackets(), x, w, colIdx, count, total, upperTotal)) return;
  if (heavy >= 0) {
    const from = x + <usize>heavy * LANES;
    v128.store(m, v128.load(from));
    v128.store(m, v128.load(from, 16), 16);
  } else medianSlab(m, x, w, weights(), count, total, <f32>1 / sum);
  firstHolder(at, m, x, colIdx, count);
}

function noMedian(m: usize, at: usize): void {
  v128.store(m, f32x4.splat(0));
  v128.store(m, f32x4.splat(0), 16);
  v128.store(at, i32x4.splat(-1));
  v128.store(at, i32x4.splat(-1), 16);
}

export function softMedian(
  begin: i32,
  end: i32,
  out: usize,
  median: usize,
  at: usize,
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
    medianRow(colIdx + first, count, sum);
    const m = paddedRow(0);
    unpadRow(median + <usize>i * bytes, m, cols);
    unpadRow(at + <usize>i * bytes, paddedRow(1), cols);
    clearLanes(lanes(), count);
    for (let s = 0; s < numSlabs; s++) addDistances(slab(s, count), m + <usize>s * LANES, count);
    shareOut(count, cols, temperature);
    unpadRow(shares + first, scores(), count);
    for (let at: usize = 0; at < (<usize>count) << 2; at += 16) {
      const q = f32x4.mul(v128.load(weights() + at), v128.load(scores() + at));
      v128.store(scores() + at, f32x4.mul(f32x4.splat(sum), q));
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

/** Shares exp(−c_j / T) / Σ a exp(−c / T) of the gathered row, from the sums of squares in its lanes, in `scores`. */
function shareOut(count: i32, cols: i32, temperature: f32): void {
  const z = scores();
  const a = weights();
  const bytes = (<usize>count) << 2;
  const perColumn = f32x4.splat(<f32>1 / <f32>cols);
  const cold = f32x4.splat(<f32>-1 / temperature);
  const lowest = f32x4.splat(-Infinity);
  let tops = lowest;
  for (let at: usize = 0; at < bytes; at += 16) {
    const exponent = f32x4.mul(f32x4.sqrt(f32x4.mul(laneSums(lanes(), at), perColumn)), cold);
    v128.store(z + at, exponent);
    tops = f32x4.pmax(tops, v128.bitselect(exponent, lowest, f32x4.gt(v128.load(a + at), f32x4.splat(0))));
  }
  const top = max4(tops);
  if (top === -Infinity) {
    for (let at: usize = 0; at < bytes; at += 16) v128.store(z + at, f32x4.splat(0)); // nothing weighs anything
    return;
  }
  let sums = f32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += 16) {
    const share = exp4(f32x4.sub(v128.load(z + at), f32x4.splat(top)));
    v128.store(z + at, share);
    sums = madd(v128.load(a + at), share, sums);
  }
  const scale = f32x4.splat(<f32>1 / sum4(sums));
  for (let at: usize = 0; at < bytes; at += 16) v128.store(z + at, f32x4.mul(v128.load(z + at), scale));
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

/** `terms` = 0 means that only the gradient by the values is asked for, `dValues` = 0 that it is not. */
export function softMedianGrad(
  begin: i32,
  end: i32,
  dValues: usize,
  terms: usize,
  medianGrad: usize,
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
      if (terms) addDistancesAndDots(slab(s, count), m + at, g + at, count);
      else addDots(slab(s, count), g + at, count);
    }
    entryGrads(
      dValues ? dValues + first : 0,
      terms ? terms + 2 * first : 0,
      shares + first,
      count,
      cols,
      temperature,
      sum,
    );
    if (!terms) continue;
    for (let s = 0; s < numSlabs; s++) {
      const at = <usize>s * LANES;
      pullMedian(result + at, slab(s, count), m + at, otherScores(), count);
    }
    unpadRow(medianGrad + row, result, cols);
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

/**
 * Gradients by the values, and `terms`, of which `pull` stays in otherScores, from the distances and dot products in the
 * lanes. Weights beyond the last neighbour are 0, and so is what comes of them.
 */
function entryGrads(
  dValues: usize,
  terms: usize,
  shares: usize,
  count: i32,
  cols: i32,
  temperature: f32,
  sum: f32,
): void {
  const a = weights();
  const dots = scores();
  const q = otherScores();
  const bytes = (<usize>count) << 2;
  if (bytes & 15) v128.store(q + (bytes & ~15), f32x4.splat(0));
  unpadRow(q, shares, count);
  let inners = f32x4.splat(0); // ⟨dY_i, Σ q x⟩
  for (let at: usize = 0; at < bytes; at += 16) {
    const dot = laneSums(otherLanes(), at);
    v128.store(dots + at, dot);
    inners = madd(f32x4.mul(v128.load(a + at), v128.load(q + at)), dot, inners);
  }
  const inner = f32x4.splat(sum4(inners));
  const whole = f32x4.splat(sum);
  const perColumn = f32x4.splat(<f32>1 / <f32>cols);
  const cold = f32x4.splat(<f32>-1 / (temperature * <f32>cols));
  for (let at: usize = 0; at < bytes; at += 16) {
    const excess = f32x4.mul(whole, f32x4.sub(v128.load(dots + at), inner));
    const share = v128.load(q + at);
    const weighed = f32x4.mul(v128.load(a + at), share);
    v128.store(dots + at, f32x4.add(f32x4.mul(share, excess), inner));
    if (!terms) continue;
    const c = f32x4.sqrt(f32x4.mul(laneSums(lanes(), at), perColumn));
    const direct = f32x4.mul(whole, weighed);
    const away = f32x4.div(f32x4.mul(f32x4.mul(weighed, excess), cold), c);
    const pull = v128.andnot(away, f32x4.eq(c, f32x4.splat(0)));
    v128.store(q + at, pull);
    v128.store(lanes() + 2 * at, i32x4.shuffle(direct, pull, 0, 4, 1, 5)); // these lanes have been read
    v128.store(lanes() + 2 * at, i32x4.shuffle(direct, pull, 2, 6, 3, 7), 16);
  }
  if (dValues) unpadRow(dValues, dots, count);
  if (terms) unpadRow(terms, lanes(), 2 * count);
}

/** y = −Σ_e pull_e (x_e − m) over eight columns. */
function pullMedian(y: usize, slab: usize, m: usize, pull: usize, count: i32): void {
  const m0 = v128.load(m);
  const m1 = v128.load(m, 16);
  let y0 = f32x4.splat(0);
  let y1 = y0;
  for (let e: usize = 0; e < (<usize>count) << 2; e += 4) {
    const w = v128.load32_splat(pull + e);
    y0 = madd(w, f32x4.sub(m0, v128.load(slab)), y0);
    y1 = madd(w, f32x4.sub(m1, v128.load(slab, 16)), y1);
    slab += LANES;
  }
  v128.store(y, y0);
  v128.store(y, y1, 16);
}
