// The gradient of Soft Median, rows begin … end − 1 of a sparse matrix. The neighbours' rows are read in place: the
// first pass fetches them, and the second finds them in a cache.

import { madd } from "../shared/fma";
import { rowBegin, rowEnd } from "../shared/sparse-rows";
import { touchRows } from "../shared/touch-rows";
import { sum4, sums4 } from "../shared/vector";
import { closeNeighbourhood, copyWeights, lanes, openNeighbourhood, scores, weights } from "./neighbourhood";
import { pullRow } from "./pull-row";
import { unpadRow } from "./row-slabs";

/** `terms` = 0 leaves out the gradient by the features, `dValues` = 0 the gradient by the values. */
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
  workspaces: usize,
): void {
  openNeighbourhood(workspaces, cols);
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) {
    const first = rowBegin(rowPtr, i);
    const count = <i32>((rowEnd(rowPtr, i) - first) >> 2);
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
  closeNeighbourhood(workspaces);
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
    v128.store(scores(0) + e, compareWithFour<Dot>(g, x0, x1, x2, x3, bytes));
    if (m) v128.store(scores(1) + e, compareWithFour<SquaredDistance>(m, x0, x1, x2, x3, bytes));
  }
}

/** ⟨y, x⟩, term by term. */
class Dot {
  add(sum: v128, y: v128, x: v128): v128 {
    return madd(y, x, sum);
  }
}

/** ‖x − y‖², term by term. */
class SquaredDistance {
  add(sum: v128, y: v128, x: v128): v128 {
    const d = f32x4.sub(x, y);
    return madd(d, d, sum);
  }
}

/** Compares the row y with four others by C, which is compiled into a loop of its own, one result per lane. */
function compareWithFour<C>(y: usize, x0: usize, x1: usize, x2: usize, x3: usize, bytes: usize): v128 {
  const by = changetype<C>(0);
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    const own = v128.load(y + at);
    s0 = by.add(s0, own, v128.load(x0 + at));
    s1 = by.add(s1, own, v128.load(x1 + at));
    s2 = by.add(s2, own, v128.load(x2 + at));
    s3 = by.add(s3, own, v128.load(x3 + at));
  }
  for (; at < bytes; at += 4) {
    const own = v128.load32_zero(y + at);
    s0 = by.add(s0, own, v128.load32_zero(x0 + at));
    s1 = by.add(s1, own, v128.load32_zero(x1 + at));
    s2 = by.add(s2, own, v128.load32_zero(x2 + at));
    s3 = by.add(s3, own, v128.load32_zero(x3 + at));
  }
  return sums4(s0, s1, s2, s3);
}

/**
 * Gradients by the values, and `terms`, from the dot products and squared distances. Weights beyond the last
 * neighbour are 0, and so are their results.
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
