// Weighted lower median of eight columns at once, by narrowing an interval: every pass adds up the weights at or below
// a pivot and moves one end of the interval there. The first few passes do no more; later ones move that end further,
// to the nearest value of a neighbour, until both ends meet.
import { madd } from "../shared/fma";
import { LANES } from "./row-slabs";

/** Passes that only add up weights; tuned by measurement. */
const CHEAP_PASSES: i32 = 5;
/** Passes with interpolated pivots before bisection over the order of floats, which needs at most 32 more. */
const INTERPOLATED_PASSES: i32 = CHEAP_PASSES + 8;

/**
 * Weights times a power of two, rounded to whole numbers with a sum below 2^bits. Their sums are exact in any order, so
 * that a cumulated weight of exactly half is recognised. Returns the sum.
 */
export function fixedWeights(to: usize, a: usize, count: i32, sum: f32, bits: i32): i32 {
  const exponent = <i32>((reinterpret<u32>(sum) >> 23) & 255); // 2^(exponent − 127) ≤ sum < twice that
  const scale = sum > 0 ? reinterpret<f32>((<u32>min(254, 127 + bits - 1 - (exponent - 127))) << 23) : 0;
  const total = scaleWeights(to, a, count, scale);
  return total >>> bits ? scaleWeights(to, a, count, <f32>0.5 * scale) : total; // rounding may have reached 2^bits
}

function scaleWeights(to: usize, a: usize, count: i32, scale: f32): i32 {
  let total = 0;
  for (let at: usize = 0; at < (<usize>count) << 2; at += 4) {
    const exact = f32x4.splat(nearest<f32>(load<f32>(a + at) * scale));
    const weight = i32x4.extract_lane(i32x4.trunc_sat_f32x4_s(exact), 0); // unlike a cast, no trap on NaN or infinity
    store<i32>(to + at, weight);
    total += weight;
  }
  return total;
}

/** Medians of one slab of `count` neighbours with these weights; `inverse` is 1 / Σ a. */
export function medianSlab(
  m: usize,
  slab: usize,
  weights: usize,
  a: usize,
  count: i32,
  total: i32,
  inverse: f32,
): void {
  const bytes = (<usize>count) << 2;
  let low0 = f32x4.splat(Infinity);
  let low1 = low0;
  let high0 = f32x4.splat(-Infinity);
  let high1 = high0;
  let t0 = f32x4.splat(0);
  let t1 = t0;
  let at = slab;
  for (let e: usize = 0; e < bytes; e += 4) {
    const w = v128.load32_splat(a + e);
    const x0 = v128.load(at);
    const x1 = v128.load(at, 16);
    low0 = f32x4.pmin(low0, x0);
    low1 = f32x4.pmin(low1, x1);
    high0 = f32x4.pmax(high0, x0);
    high1 = f32x4.pmax(high1, x1);
    t0 = madd(w, x0, t0);
    t1 = madd(w, x1, t1);
    at += LANES;
  }
  t0 = within(f32x4.mul(t0, f32x4.splat(inverse)), low0, high0); // the mean is a good first pivot
  t1 = within(f32x4.mul(t1, f32x4.splat(inverse)), low1, high1);
  const total4 = i32x4.splat(total);
  let below0 = i32x4.splat(0); // weight up to `low`; below it once `low` is a neighbour's value
  let below1 = below0;
  let upTo0 = total4; // weight up to `high`
  let upTo1 = total4;
  for (let round = 0; round < CHEAP_PASSES || isOpen(low0, high0, low1, high1); round++) {
    if (round > 0) {
      t0 = pivot(round, low0, high0, below0, upTo0, total4);
      t1 = pivot(round, low1, high1, below1, upTo1, total4);
    }
    let s0 = i32x4.splat(0); // weight at or below the pivot
    let s1 = s0;
    let up0 = t0; // the next lower end: the least neighbour above the pivot, or the pivot itself in a cheap pass
    let up1 = t1;
    let down0 = t0; // the next upper end: the largest at or below it
    let down1 = t1;
    at = slab;
    if (round < CHEAP_PASSES) {
      for (let e: usize = 0; e < bytes; e += 4) {
        const w = v128.load32_splat(weights + e);
        s0 = i32x4.add(s0, v128.and(f32x4.le(v128.load(at), t0), w));
        s1 = i32x4.add(s1, v128.and(f32x4.le(v128.load(at, 16), t1), w));
        at += LANES;
      }
    } else {
      up0 = f32x4.splat(Infinity);
      up1 = up0;
      down0 = f32x4.splat(-Infinity);
      down1 = down0;
      for (let e: usize = 0; e < bytes; e += 4) {
        const w = v128.load32_splat(weights + e);
        const x0 = v128.load(at);
        const x1 = v128.load(at, 16);
        const le0 = f32x4.le(x0, t0);
        const le1 = f32x4.le(x1, t1);
        s0 = i32x4.add(s0, v128.and(le0, w));
        s1 = i32x4.add(s1, v128.and(le1, w));
        up0 = f32x4.pmin(up0, v128.or(x0, le0)); // a lane of ones is NaN, which pmin and pmax pass over
        up1 = f32x4.pmin(up1, v128.or(x1, le1));
        down0 = f32x4.pmax(down0, v128.or(x0, f32x4.gt(x0, t0)));
        down1 = f32x4.pmax(down1, v128.or(x1, f32x4.gt(x1, t1)));
        at += LANES;
      }
    }
    const enough0 = i32x4.ge_s(i32x4.shl(s0, 1), total4);
    const enough1 = i32x4.ge_s(i32x4.shl(s1, 1), total4);
    high0 = v128.bitselect(down0, high0, enough0);
    high1 = v128.bitselect(down1, high1, enough1);
    upTo0 = v128.bitselect(s0, upTo0, enough0);
    upTo1 = v128.bitselect(s1, upTo1, enough1);
    low0 = v128.bitselect(low0, up0, enough0);
    low1 = v128.bitselect(low1, up1, enough1);
    below0 = v128.bitselect(below0, s0, enough0);
    below1 = v128.bitselect(below1, s1, enough1);
  }
  v128.store(m, low0);
  v128.store(m, low1, 16);
}

/** Whether the ends have not met in every column. */
function isOpen(low0: v128, high0: v128, low1: v128, high1: v128): bool {
  return v128.any_true(v128.or(f32x4.lt(low0, high0), f32x4.lt(low1, high1)));
}

/**
 * A pivot in [low, high): where interpolation expects the cumulated weight to pass half of the total, moved a little
 * towards the middle. If the weight reaches exactly half of the total somewhere, interpolation alone would creep.
 */
function pivot(round: i32, low: v128, high: v128, below: v128, upTo: v128, total: v128): v128 {
  if (round >= INTERPOLATED_PASSES) return within(between(low, high), low, high);
  const missing = f32x4.sub(f32x4.mul(f32x4.convert_i32x4_s(total), f32x4.splat(0.5)), f32x4.convert_i32x4_s(below));
  const share = f32x4.div(missing, f32x4.convert_i32x4_s(i32x4.sub(upTo, below)));
  const inner = f32x4.add(f32x4.mul(share, f32x4.splat(0.8)), f32x4.splat(0.1));
  return within(f32x4.add(low, f32x4.mul(f32x4.sub(high, low), inner)), low, high);
}

/** t if it lies in [low, high), else low. */
function within(t: v128, low: v128, high: v128): v128 {
  return v128.bitselect(t, low, v128.and(f32x4.ge(t, low), f32x4.lt(t, high)));
}

/** The float halfway between two floats in their order. */
function between(low: v128, high: v128): v128 {
  const a = ordered(low);
  const b = ordered(high);
  return ordered(i32x4.add(v128.and(a, b), i32x4.shr_s(v128.xor(a, b), 1)));
}

/** Floats as integers in the same order, and back. */
function ordered(x: v128): v128 {
  return v128.xor(x, v128.and(i32x4.shr_s(x, 31), i32x4.splat(0x7fffffff)));
}

/** For each column of a slab the first of `count` neighbours at `colIdx` that holds m, or −1. */
export function firstHolder(at: usize, m: usize, slab: usize, colIdx: usize, count: i32): void {
  const m0 = v128.load(m);
  const m1 = v128.load(m, 16);
  let j0 = i32x4.splat(-1);
  let j1 = j0;
  for (let e = count - 1; e >= 0; e--) {
    const j = v128.load32_splat(colIdx + ((<usize>e) << 2));
    const from = slab + <usize>e * LANES;
    j0 = v128.bitselect(j, j0, f32x4.eq(v128.load(from), m0));
    j1 = v128.bitselect(j, j1, f32x4.eq(v128.load(from, 16), m1));
  }
  v128.store(at, j0);
  v128.store(at, j1, 16);
}
