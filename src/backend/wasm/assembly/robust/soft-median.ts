// Weighted median and Soft Median, rows begin … end − 1 of a sparse matrix.

import { madd } from "../shared/fma";
import { exp4 } from "../shared/math";
import { rowBegin, rowEnd } from "../shared/sparse-rows";
import { max4, sum4 } from "../shared/vector";
import { bracketMedian, MAX_NEIGHBOURS, openBrackets } from "./bracket-median";
import { firstHolder, medianSlab } from "./median";
import {
  brackets,
  clearLanes,
  closeNeighbourhood,
  gatherRow,
  laneSums,
  lanes,
  openNeighbourhood,
  paddedRow,
  prepareMedian,
  scores,
  slab,
  weights,
  wholeWeights,
} from "./neighbourhood";
import { LANES, slabsOf, unpadRow } from "./row-slabs";

/** Weighted medians, and in `at` the columns that hold them. */
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
  workspaces: usize,
): void {
  openNeighbourhood(workspaces, cols);
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) {
    const first = rowBegin(rowPtr, i);
    const count = <i32>((rowEnd(rowPtr, i) - first) >> 2);
    const sum = gatherRow(x, colIdx + first, values ? values + first : 0, count);
    medianRow(colIdx + first, count, sum);
    unpadRow(median + <usize>i * bytes, paddedRow(0), cols);
    unpadRow(at + <usize>i * bytes, paddedRow(1), cols);
  }
  closeNeighbourhood(workspaces);
}

/** Writes medians of the gathered row to padded row 0 and their holders to row 1; 0 and −1 if it has no neighbour. */
function medianRow(colIdx: usize, count: i32, sum: f32): void {
  const total = prepareMedian(count, sum);
  const heavy = heaviest(wholeWeights(), count, total);
  const quick = heavy < 0 && count <= MAX_NEIGHBOURS;
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
  workspaces: usize,
): void {
  openNeighbourhood(workspaces, cols);
  const bytes = (<usize>cols) << 2;
  const numSlabs = slabsOf(cols);
  for (let i = begin; i < end; i++) {
    const first = rowBegin(rowPtr, i);
    const count = <i32>((rowEnd(rowPtr, i) - first) >> 2);
    const sum = gatherRow(x, colIdx + first, values ? values + first : 0, count);
    medianRow(colIdx + first, count, sum);
    const m = paddedRow(0);
    unpadRow(median + <usize>i * bytes, m, cols);
    unpadRow(at + <usize>i * bytes, paddedRow(1), cols);
    clearLanes(lanes(), count);
    for (let s = 0; s < numSlabs; s++) addDistances(slab(s, count), m + <usize>s * LANES, count);
    shareOut(count, cols, temperature);
    unpadRow(shares + first, scores(0), count);
    for (let at: usize = 0; at < (<usize>count) << 2; at += 16) {
      const q = f32x4.mul(v128.load(weights() + at), v128.load(scores(0) + at));
      v128.store(scores(0) + at, f32x4.mul(f32x4.splat(sum), q));
    }
    const y = paddedRow(1);
    for (let s = 0; s < numSlabs; s++) weightedSum(y + <usize>s * LANES, slab(s, count), scores(0), count);
    unpadRow(out + <usize>i * bytes, y, cols);
  }
  closeNeighbourhood(workspaces);
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

/** Largest exponent of a share. Only neighbours without weight can be above 0; their shares must stay finite. */
const HIGHEST: f32 = 60;

/** Shares exp(−c_j / T) / Σ a exp(−c / T) of the gathered row, from the sums of squares in its lanes, in `scores`. */
function shareOut(count: i32, cols: i32, temperature: f32): void {
  const z = scores(0);
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
    for (let at: usize = 0; at < bytes; at += 16) v128.store(z + at, f32x4.splat(0)); // no neighbour has weight
    return;
  }
  let sums = f32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += 16) {
    const share = exp4(f32x4.min(f32x4.sub(v128.load(z + at), f32x4.splat(top)), f32x4.splat(HIGHEST)));
    v128.store(z + at, share);
    sums = madd(v128.load(a + at), share, sums);
  }
  const scale = f32x4.splat(<f32>1 / sum4(sums));
  for (let at: usize = 0; at < bytes; at += 16) v128.store(z + at, f32x4.mul(v128.load(z + at), scale));
}

/** y = Σ_e factor_e x_e over eight columns. */
function weightedSum(y: usize, from: usize, factors: usize, count: i32): void {
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
