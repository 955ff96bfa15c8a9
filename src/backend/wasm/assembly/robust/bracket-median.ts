// Weighted lower median of eight columns at once, the quick way: values become 16-bit keys in the same order, bisection
// over the keys leaves a bracket with one or two neighbours per column, and those are compared as floats, with the exact
// weights. It returns false if that does not settle a column (equal values, outliers that squeeze the keys).
import { madd } from "../shared/fma";
import { LANES } from "./row-slabs";

/** Neighbours at most: their weights must add up in 16 bits. */
export const MAX_NEIGHBOURS: i32 = 256;
const PART: usize = 4160; // MAX_NEIGHBOURS vectors, and one cache line more, so that the parts fall into different sets
const UPPER: usize = PART;
const LOWER: usize = 2 * PART;
const WORDS: usize = 3 * PART; // one bit per neighbour in a bracket, 16 neighbours to a vector
const ABOVE: usize = WORDS + 256; // weights above the bracket's lower end, upper and lower part
const RANGE: usize = ABOVE + 32; // least and largest value of each column
const CONSTANTS: usize = RANGE + 64; // loaded from memory: V8 would rebuild a constant vector at every use
/**
 * Bytes of a workspace: keys, upper and lower part of the weights, one vector per neighbour each, and results of a
 * slab.
 */
export const BRACKET_BYTES: usize = CONSTANTS + 16;

/** Rounds of bisection, tuned by measurement. */
const ROUNDS: i32 = 9;
/** Neighbours of a bracket that are tried one by one before giving up. */
const MAX_TRIED: i32 = 16;
const MAGIC: f32 = 12582912; // 1.5 · 2^23: adding it leaves the nearest whole number in the lower bits

/** Bits of the lower part of a weight: few enough that `count` lower parts add up in 16 bits. */
export function lowerBits(count: i32): i32 {
  return count <= 64 ? 10 : count <= 128 ? 9 : 8;
}

/**
 * Splits the weights of a row, whole numbers with a sum below 2^(16 + lowerBits), into upper and lower parts; returns
 * the sum of the upper parts.
 */
export function openBrackets(work: usize, weights: usize, count: i32): i32 {
  store<f32>(work, MAGIC - 32767, CONSTANTS);
  store<f32>(work, MAGIC, CONSTANTS + 4);
  const bits = lowerBits(count);
  const end = work + ((<usize>((count + 3) & ~3)) << 4);
  const last = weights + ((<usize>count) << 2);
  let sum = 0;
  for (let to = work; to < end; to += 16) {
    const weight = weights < last ? load<i32>(weights) : 0;
    const upper = (weight + (1 << (bits - 1))) >> bits; // rounded: the lower part is signed
    v128.store(to, i16x8.splat(<i16>upper), UPPER);
    v128.store(to, i16x8.splat(<i16>(weight - (upper << bits))), LOWER);
    v128.store(to, i16x8.splat(0));
    sum += upper;
    weights += 4;
  }
  return sum;
}

/**
 * Medians of one slab, and `at`, the first of the neighbours at `colIdx` that holds each. Returns false if a column is
 * not settled; the results are then incomplete.
 */
export function bracketMedian(
  m: usize,
  at: usize,
  work: usize,
  slab: usize,
  weights: usize,
  colIdx: usize,
  count: i32,
  total: i32,
  upperTotal: i32,
): bool {
  const end = work + ((<usize>count) << 4);
  makeKeys(work, end, slab);
  narrow(work, work + ((<usize>((count + 3) & ~3)) << 4), end, <u32>upperTotal);
  for (let c: usize = 0; c < 8; c++) {
    const least = load<f32>(work + (c << 2), RANGE);
    const e =
      least === load<f32>(work + (c << 2), RANGE + 32)
        ? 0
        : settle(work + (c << 1), slab + (c << 2), weights, count, total);
    if (e < 0) return false;
    store<f32>(m + (c << 2), load<f32>(slab + (c << 2) + <usize>e * LANES));
    store<i32>(at + (c << 2), load<i32>(colIdx + ((<usize>e) << 2)));
  }
  return true;
}

/** Keys −32767 … 32767, spread evenly from the least to the largest value of each column. */
function makeKeys(work: usize, end: usize, slab: usize): void {
  let low0 = f32x4.splat(Infinity);
  let low1 = low0;
  let high0 = f32x4.splat(-Infinity);
  let high1 = high0;
  let from = slab;
  for (let to = work; to < end; to += 16) {
    const x0 = v128.load(from);
    const x1 = v128.load(from, 16);
    low0 = f32x4.pmin(low0, x0);
    low1 = f32x4.pmin(low1, x1);
    high0 = f32x4.pmax(high0, x0);
    high1 = f32x4.pmax(high1, x1);
    from += LANES;
  }
  v128.store(work, low0, RANGE);
  v128.store(work, low1, RANGE + 16);
  v128.store(work, high0, RANGE + 32);
  v128.store(work, high1, RANGE + 48);
  const scale0 = keyScale(low0, high0);
  const scale1 = keyScale(low1, high1);
  const offset = v128.load32_splat(work, CONSTANTS);
  const whole = v128.load32_splat(work, CONSTANTS + 4);
  from = slab;
  for (let to = work; to < end; to += 16) {
    const y0 = madd(f32x4.sub(v128.load(from), low0), scale0, offset);
    const y1 = madd(f32x4.sub(v128.load(from, 16), low1), scale1, offset);
    v128.store(to, i16x8.narrow_i32x4_s(i32x4.sub(y0, whole), i32x4.sub(y1, whole)));
    from += LANES;
  }
}

/** 65534 / range, or 0 if the range is too small or too large to divide by; all keys of the column are then equal. */
function keyScale(low: v128, high: v128): v128 {
  const range = f32x4.sub(high, low);
  const usable = v128.and(f32x4.gt(range, f32x4.splat(1e-30)), f32x4.lt(range, f32x4.splat(1e30)));
  return v128.and(f32x4.div(f32x4.splat(65534), range), usable);
}

/** Bisects with the upper parts of the weights, then lists the neighbours in the brackets and adds up what lies above. */
function narrow(work: usize, padded: usize, end: usize, upperTotal: u32): void {
  const half = i16x8.splat(<i16>((upperTotal + 1) >> 1));
  const one = i16x8.splat(1);
  let low = i16x8.splat(-32768);
  let high = i16x8.splat(32767);
  for (let round = 0; round < ROUNDS; round++) {
    const t = i16x8.add(low, i16x8.shr_u(i16x8.sub(high, low), 1));
    const next = i16x8.add(t, one);
    let s0 = i16x8.splat(0);
    let s1 = s0;
    for (let at = work; at < padded; at += 64) {
      s0 = i16x8.add(s0, v128.and(i16x8.lt_s(v128.load(at), next), v128.load(at, UPPER)));
      s1 = i16x8.add(s1, v128.and(i16x8.lt_s(v128.load(at, 16), next), v128.load(at, UPPER + 16)));
      s0 = i16x8.add(s0, v128.and(i16x8.lt_s(v128.load(at, 32), next), v128.load(at, UPPER + 32)));
      s1 = i16x8.add(s1, v128.and(i16x8.lt_s(v128.load(at, 48), next), v128.load(at, UPPER + 48)));
    }
    const enough = i16x8.ge_u(i16x8.add(s0, s1), half);
    high = v128.bitselect(t, high, enough);
    low = v128.bitselect(low, t, enough);
  }
  let upper = i16x8.splat(0);
  let lower = upper;
  let words = work + WORDS;
  for (let at = work; at < end; words += 16) {
    const stop = min(end, at + 256);
    let bit = one;
    let inside = i16x8.splat(0);
    for (; at < stop; at += 16) {
      const key = v128.load(at);
      const above = i16x8.gt_s(key, low);
      upper = i16x8.add(upper, v128.and(above, v128.load(at, UPPER)));
      lower = i16x8.add(lower, v128.and(above, v128.load(at, LOWER)));
      inside = v128.or(inside, v128.and(bit, v128.andnot(above, i16x8.gt_s(key, high))));
      bit = i16x8.add(bit, bit);
    }
    v128.store(words, inside);
  }
  v128.store(work, upper, ABOVE);
  v128.store(work, lower, ABOVE + 16);
}

/** The first neighbour in the bracket of one column that holds its median, or −1. */
function settle(lane: usize, x: usize, weights: usize, count: i32, total: i32): i32 {
  const above = ((<i32>load<u16>(lane, ABOVE)) << lowerBits(count)) + <i32>load<i16>(lane, ABOVE + 16);
  const below = total - above;
  if (2 * below >= total) return -1; // the bracket begins too high
  const first = bitsFrom(lane, 0, count);
  if (count <= 64 && (first & (first - 1)) === 0) {
    const e = <i32>ctz(first) & 63;
    return 2 * (below + load<i32>(weights + ((<usize>e) << 2))) >= total ? e : -1;
  }
  return settleMany(lane, x, weights, count, total, below);
}

function settleMany(lane: usize, x: usize, weights: usize, count: i32, total: i32, below: i32): i32 {
  let best = -1;
  let tried = 0;
  let least: f32 = Infinity;
  for (let first = 0; first < count; first += 64) {
    for (let bits = bitsFrom(lane, first, count); bits !== 0; bits &= bits - 1) {
      const e = first + <i32>ctz(bits);
      const value = load<f32>(x + <usize>e * LANES);
      if (!(value < least)) continue;
      if (++tried > MAX_TRIED) return -1;
      if (2 * (below + weightUpTo(lane, x, weights, count, value)) >= total) {
        best = e;
        least = value;
      }
    }
  }
  return best;
}

/** One bit for each of 64 neighbours, set if it lies in the bracket. */
function bitsFrom(lane: usize, first: i32, count: i32): u64 {
  const words = lane + WORDS + <usize>first;
  let bits = <u64>load<u16>(words);
  if (first + 16 < count) bits |= (<u64>load<u16>(words, 16)) << 16;
  if (first + 32 < count) bits |= (<u64>load<u16>(words, 32)) << 32;
  if (first + 48 < count) bits |= (<u64>load<u16>(words, 48)) << 48;
  return bits;
}

/** The weight of the neighbours in the bracket up to `value`. */
function weightUpTo(lane: usize, x: usize, weights: usize, count: i32, value: f32): i32 {
  let sum = 0;
  for (let first = 0; first < count; first += 64) {
    for (let bits = bitsFrom(lane, first, count); bits !== 0; bits &= bits - 1) {
      const e = <usize>first + <usize>ctz(bits);
      if (load<f32>(x + e * LANES) <= value) sum += load<i32>(weights + (e << 2));
    }
  }
  return sum;
}
