// The gradient of Soft Median, rows begin … end − 1 of a sparse matrix. The neighbours' rows are read where they lie: the first
// pass fetches them, and the second finds them in a cache.
import { madd } from "../shared/fma";
import { touchRows } from "../shared/touch-rows";
import { sum4, sums4 } from "../shared/vector";
import { giveSlot, takeSlot } from "../shared/workspace-slots";
import { copyWeights, lanes, openNeighbourhood, scores, weights } from "./neighbourhood";
import { pullRow } from "./pull-row";
import { unpadRow } from "./row-slabs";

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
  for (let i = begin; i < end; i++) {
    const first = (<usize>load<u32>(rowPtr + ((<usize>i) << 2))) << 2;
    const count = <i32>load<u32>(rowPtr + ((<usize>i) << 2), 4) - <i32>(first >> 2);
    const row = <usize>i * bytes;
    const sum = copyWeights(values ? values + first : 0, count);
    compareRows(x, colIdx + first, count, dy + row, terms ? median + row : 0, bytes);
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
    memory.fill(medianGrad + row, 0, bytes);
    pullRow(medianGrad + row, median + row, colIdx + first, terms + 2 * first + 4, x, bytes, (<usize>count) << 2);
  }
  giveSlot(locks, slot);
}

/** ⟨g, x_e⟩ of each neighbour in scores 0, and ‖x_e − m‖² in scores 1 where m is not 0. */
function compareRows(x: usize, colIdx: usize, count: i32, g: usize, m: usize, bytes: usize): void {
  const last = ((<usize>count) << 2) - 4;
  let touched = 0;
  for (let e: usize = 0; e < (<usize>count) << 2; e += 16) {
    const done = <i32>(e >> 2);
    if (done >= touched) touched = done + touchRows(x, colIdx + e, count - done, bytes);
    const x0 = x + <usize>load<u32>(colIdx + e) * bytes;
    const x1 = x + <usize>load<u32>(colIdx + min(e + 4, last)) * bytes;
    const x2 = x + <usize>load<u32>(colIdx + min(e + 8, last)) * bytes;
    const x3 = x + <usize>load<u32>(colIdx + min(e + 12, last)) * bytes;
    v128.store(scores(0) + e, dots(g, x0, x1, x2, x3, bytes));
    if (m) v128.store(scores(1) + e, squares(m, x0, x1, x2, x3, bytes));
  }
}

/** Dot products with four rows. */
function dots(g: usize, x0: usize, x1: usize, x2: usize, x3: usize, bytes: usize): v128 {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    const y = v128.load(g + at);
    s0 = madd(y, v128.load(x0 + at), s0);
    s1 = madd(y, v128.load(x1 + at), s1);
    s2 = madd(y, v128.load(x2 + at), s2);
    s3 = madd(y, v128.load(x3 + at), s3);
  }
  for (; at < bytes; at += 4) {
    const y = v128.load32_zero(g + at);
    s0 = madd(y, v128.load32_zero(x0 + at), s0);
    s1 = madd(y, v128.load32_zero(x1 + at), s1);
    s2 = madd(y, v128.load32_zero(x2 + at), s2);
    s3 = madd(y, v128.load32_zero(x3 + at), s3);
  }
  return sums4(s0, s1, s2, s3);
}

/** Squared distances to four rows. */
function squares(m: usize, x0: usize, x1: usize, x2: usize, x3: usize, bytes: usize): v128 {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    const y = v128.load(m + at);
    s0 = square(f32x4.sub(v128.load(x0 + at), y), s0);
    s1 = square(f32x4.sub(v128.load(x1 + at), y), s1);
    s2 = square(f32x4.sub(v128.load(x2 + at), y), s2);
    s3 = square(f32x4.sub(v128.load(x3 + at), y), s3);
  }
  for (; at < bytes; at += 4) {
    const y = v128.load32_zero(m + at);
    s0 = square(f32x4.sub(v128.load32_zero(x0 + at), y), s0);
    s1 = square(f32x4.sub(v128.load32_zero(x1 + at), y), s1);
    s2 = square(f32x4.sub(v128.load32_zero(x2 + at), y), s2);
    s3 = square(f32x4.sub(v128.load32_zero(x3 + at), y), s3);
  }
  return sums4(s0, s1, s2, s3);
}

function square(d: v128, sum: v128): v128 {
  return madd(d, d, sum);
}

/**
 * Gradients by the values, and `terms`, from the dot products and squared distances. Weights beyond the last
 * neighbour are 0, and so is what comes of them.
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
  const dots = scores(0);
  const q = scores(2);
  const both = lanes();
  const bytes = (<usize>count) << 2;
  if (bytes & 15) v128.store(q + (bytes & ~15), f32x4.splat(0));
  unpadRow(q, shares, count);
  let inners = f32x4.splat(0); // ⟨dY_i, Σ q x⟩
  for (let at: usize = 0; at < bytes; at += 16) {
    inners = madd(f32x4.mul(v128.load(a + at), v128.load(q + at)), v128.load(dots + at), inners);
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
    const c = f32x4.sqrt(f32x4.mul(v128.load(scores(1) + at), perColumn));
    const direct = f32x4.mul(whole, weighed);
    const away = f32x4.div(f32x4.mul(f32x4.mul(weighed, excess), cold), c);
    const pull = v128.andnot(away, f32x4.eq(c, f32x4.splat(0)));
    v128.store(both + 2 * at, i32x4.shuffle(direct, pull, 0, 4, 1, 5));
    v128.store(both + 2 * at, i32x4.shuffle(direct, pull, 2, 6, 3, 7), 16);
  }
  if (dValues) unpadRow(dValues, dots, count);
  if (terms) unpadRow(terms, both, 2 * count);
}
