// Selecting and sorting: positions above a threshold, the k-th largest value, and an order by radix sort.

import { listedTargets, listedWeights } from "../pairs/pair-lists";
import { max4 } from "../shared/vector";
import { nextPlace, startDigits } from "./radix-digits";
import { toFront } from "./to-front";

const CHUNK: i32 = 16384;

/** Maps floats to integers in descending order of value; −0 and +0 are equal. */
function descending(x: f32): u32 {
  const bits = reinterpret<u32>(x + <f32>0);
  return bits >> 31 ? bits : ~bits & 0x7fffffff;
}

/** counts_c = [number above, number equal to] the threshold in fixed chunk c of 16384 elements. */
export function countAbove(begin: i32, end: i32, counts: usize, x: usize, length: i32, threshold: f32): void {
  const t4 = f32x4.splat(threshold);
  for (let chunk = begin; chunk < end; chunk++) {
    let e = chunk * CHUNK;
    const last = min(length, e + CHUNK);
    let above4 = i32x4.splat(0);
    let equal4 = above4;
    for (; e + 4 <= last; e += 4) {
      const value = v128.load(x + ((<usize>e) << 2));
      above4 = i32x4.sub(above4, f32x4.gt(value, t4));
      equal4 = i32x4.sub(equal4, f32x4.eq(value, t4));
    }
    let above = sumLanes(above4);
    let equal = sumLanes(equal4);
    for (; e < last; e++) {
      const value = load<f32>(x + ((<usize>e) << 2));
      above += i32(value > threshold);
      equal += i32(value === threshold);
    }
    store<i32>(counts + ((<usize>chunk) << 3), above);
    store<i32>(counts + ((<usize>chunk) << 3), equal, 4);
  }
}

function sumLanes(x: v128): i32 {
  return i32x4.extract_lane(x, 0) + i32x4.extract_lane(x, 1) + (i32x4.extract_lane(x, 2) + i32x4.extract_lane(x, 3));
}

/** Writes the positions of chunk c that are above the threshold, and its first plan_c[1] equal ones, from place plan_c[0] on. */
export function writeAbove(begin: i32, end: i32, out: usize, plan: usize, x: usize, length: i32, threshold: f32): void {
  const t4 = f32x4.splat(threshold);
  for (let chunk = begin; chunk < end; chunk++) {
    let e = chunk * CHUNK;
    const last = min(length, e + CHUNK);
    let to = out + placeOf(plan, chunk);
    const placesEnd = out + placeOf(plan, chunk + 1);
    let ties = load<i32>(plan + ((<usize>chunk) << 3), 4);
    for (; ties === 0 && e + 4 <= last && to + 16 <= placesEnd; e += 4) {
      // Writes four at a time; those that were not chosen are overwritten. A branch for each would be mispredicted often.
      const chosen = i32x4.bitmask(f32x4.gt(v128.load(x + ((<usize>e) << 2)), t4));
      v128.store(to, toFront(i32x4.add(i32x4.splat(e), i32x4(0, 1, 2, 3)), chosen));
      to += (<usize>popcnt(chosen)) << 2;
    }
    for (; e < last; e++) {
      const value = load<f32>(x + ((<usize>e) << 2));
      if (value > threshold || (value === threshold && ties-- > 0)) {
        store<i32>(to, e);
        to += 4;
      }
    }
  }
}

/**
 * Writes the selected pairs of a block instead of their positions: lists of `total` sources, targets and weights, times
 * signs unless `signs` is 0. The positions of a chunk are first written where its weights go, and then replaced.
 */
export function collectPairs(
  begin: i32,
  end: i32,
  out: usize,
  total: i32,
  plan: usize,
  weights: usize,
  length: i32,
  threshold: f32,
  sources: usize,
  targets: usize,
  signs: usize,
): void {
  const outTargets = listedTargets(out, total);
  const outWeights = listedWeights(out, total);
  for (let chunk = begin; chunk < end; chunk++) {
    writeAbove(chunk, chunk + 1, outWeights, plan, weights, length, threshold);
    const last = placeOf(plan, chunk + 1);
    for (let t = placeOf(plan, chunk); t < last; t += 4) {
      const e = (<usize>load<u32>(outWeights + t)) << 2;
      store<u32>(out + t, load<u32>(sources + e));
      store<u32>(outTargets + t, load<u32>(targets + e));
      const weight = load<f32>(weights + e);
      store<f32>(outWeights + t, signs ? load<f32>(signs + e) * weight : weight);
    }
  }
}

/** Offset in bytes at which chunk c begins to write. The plan has one chunk more, which marks the end. */
function placeOf(plan: usize, chunk: i32): usize {
  return (<usize>load<u32>(plan + ((<usize>chunk) << 3))) << 2;
}

/** Writes the values of chunk c that are at least the threshold from place plan_c[0] on. */
export function valuesFrom(begin: i32, end: i32, out: usize, plan: usize, x: usize, length: i32, threshold: f32): void {
  const t4 = f32x4.splat(threshold);
  for (let chunk = begin; chunk < end; chunk++) {
    let at = x + ((<usize>(chunk * CHUNK)) << 2);
    const last = x + ((<usize>min(length, (chunk + 1) * CHUNK)) << 2);
    let to = out + placeOf(plan, chunk);
    const placesEnd = out + placeOf(plan, chunk + 1);
    for (; at + 16 <= last && to + 16 <= placesEnd; at += 16) {
      const value = v128.load(at);
      const chosen = i32x4.bitmask(f32x4.ge(value, t4));
      v128.store(to, toFront(value, chosen));
      to += (<usize>popcnt(chosen)) << 2;
    }
    for (; at < last; at += 4) {
      const value = load<f32>(at);
      if (value < threshold) continue;
      store<f32>(to, value);
      to += 4;
    }
  }
}

/** out_r = the largest of run r of 64 values. */
export function runMaxima(begin: i32, end: i32, out: usize, x: usize, length: i32): void {
  for (let r = begin; r < end; r++) {
    let at = x + ((<usize>r) << 8);
    const last = min(x + ((<usize>length) << 2), at + 256);
    let top4 = f32x4.splat(-Infinity);
    for (; at + 16 <= last; at += 16) top4 = f32x4.pmax(top4, v128.load(at));
    let top = max4(top4);
    for (; at < last; at += 4) top = max(top, load<f32>(at));
    store<f32>(out + ((<usize>r) << 2), top);
  }
}

/** Ascending positions of the values that are at least the threshold in `count` ascending runs of 64; returns how many. */
export function positionsInRuns(positions: usize, runs: usize, count: i32, x: usize, length: i32, threshold: f32): i32 {
  let to = positions;
  for (let t = 0; t < count; t++) {
    let e = load<i32>(runs + ((<usize>t) << 2)) << 6;
    for (const last = min(length, e + 64); e < last; e++) {
      if (load<f32>(x + ((<usize>e) << 2)) < threshold) continue;
      store<i32>(to, e);
      to += 4;
    }
  }
  return <i32>((to - positions) >> 2);
}

/** Copies run r of 16 values from run r · every of x. */
export function sampleRuns(begin: i32, end: i32, out: usize, x: usize, every: i32): void {
  for (let r = begin; r < end; r++) {
    const from = x + ((<usize>(r * every)) << 6);
    const to = out + ((<usize>r) << 6);
    for (let at: usize = 0; at < 64; at += 16) v128.store(to + at, v128.load(from + at));
  }
}

/** The k-th largest value (k from 1), by a histogram of the leading 12, the next 12 and the last 8 bits of its key. */
export function kthLargest(x: usize, length: i32, k: i32, histogram: usize): f32 {
  let prefix: u32 = 0;
  let left = k;
  for (let pass = 0; pass < 3; pass++) {
    const shift: u32 = pass === 0 ? 20 : pass === 1 ? 8 : 0;
    const width: u32 = pass === 2 ? 8 : 12;
    const buckets: u32 = 1 << width;
    const seen: u32 = pass === 0 ? 0 : (0xffffffff as u32) << (shift + width);
    for (let b: u32 = 0; b < buckets; b++) store<u32>(histogram + ((<usize>b) << 2), 0);
    for (let e = 0; e < length; e++) {
      const key = descending(load<f32>(x + ((<usize>e) << 2)));
      if ((key & seen) !== prefix) continue;
      const at = histogram + ((<usize>((key >> shift) & (buckets - 1))) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
    let bucket: u32 = 0;
    for (; ; bucket++) {
      const count = load<i32>(histogram + ((<usize>bucket) << 2));
      if (left <= count) break;
      left -= count;
    }
    prefix |= bucket << shift;
  }
  return reinterpret<f32>(prefix >> 31 ? prefix : ~prefix & 0x7fffffff);
}

/** Sorts `count` ascending positions by descending value, equal values staying in order; `work` has room for 4·count words. */
export function sortByValue(positions: usize, count: i32, x: usize, work: usize, histogram: usize): void {
  const size = (<usize>count) << 2;
  let keys = work;
  let keysTo = work + size;
  let from = work + 2 * size;
  let to = work + 3 * size;
  for (let at: usize = 0; at < size; at += 4) {
    const e = load<u32>(positions + at);
    store<u32>(from + at, e);
    store<u32>(keys + at, descending(load<f32>(x + ((<usize>e) << 2))));
  }
  for (let shift: u32 = 0; shift < 32; shift += 8) {
    startDigits<u32>(histogram, 256, keys, size, shift);
    for (let at: usize = 0; at < size; at += 4) {
      const key = load<u32>(keys + at);
      const place = nextPlace(histogram, (key >> shift) & 255) << 2;
      store<u32>(keysTo + place, key);
      store<u32>(to + place, load<u32>(from + at));
    }
    const k = keys;
    keys = keysTo;
    keysTo = k;
    const f = from;
    from = to;
    to = f;
  }
  for (let at: usize = 0; at < size; at += 4) store<u32>(positions + at, load<u32>(from + at));
}
