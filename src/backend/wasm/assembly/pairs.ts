// Blocks of node pairs: drawing, keeping and merging them, all in exact 64-bit integers.
import { philox4, philox64, word0, word1 } from "./philox";
import { nextPlace, startPlaces } from "./select";

/** Word `counter` of the stream of 64-bit words, mapped to 0 … width − 1 by the upper half of the 128-bit product. */
function draw(counter: u32, lo: u32, hi: u32, width: u64): u64 {
  return mulHigh(philox64(counter, lo, hi), width);
}

function mulHigh(a: u64, b: u64): u64 {
  const a0 = a & 0xffffffff;
  const a1 = a >> 32;
  const b0 = b & 0xffffffff;
  const b1 = b >> 32;
  const mid = a1 * b0 + ((a0 * b0) >> 32);
  const mid2 = a0 * b1 + (mid & 0xffffffff);
  return a1 * b1 + (mid >> 32) + (mid2 >> 32);
}

function wide(lo: u32, hi: u32): u64 {
  return ((<u64>hi) << 32) | <u64>lo;
}

function triangle(r: u64): u64 {
  return (r * (r + 1)) >> 1;
}

function pairCount(n: u64, directed: i32): u64 {
  return directed ? n * (n - 1) : (n * (n - 1)) >> 1;
}

/** The row of the pair with this index: a square root as a guess, settled in integers. */
function rowOf(n: u64, directed: i32, index: u64): u64 {
  if (directed) return index / (n - 1);
  const left = pairCount(n, 0) - index;
  let r = <u64>Math.sqrt(2 * <f64>left);
  while (triangle(r) < left) r++;
  while (triangle(r - 1) >= left) r--;
  return n - 1 - r;
}

/** Index of the first pair of row i. */
function rowStart(n: u64, directed: i32, i: u64): u64 {
  return directed ? i * (n - 1) : pairCount(n, 0) - triangle(n - 1 - i);
}

/** shifted_t = index of kept pair t − t: how many pairs that are not kept come before it. */
export function keptRanks(
  begin: i32,
  end: i32,
  shifted: usize,
  kept: usize,
  sources: usize,
  targets: usize,
  n: u32,
  directed: i32,
): void {
  for (let t = begin; t < end; t++) {
    const at = (<usize>load<u32>(kept + ((<usize>t) << 2))) << 2;
    const i = <u64>load<u32>(sources + at);
    const j = <u64>load<u32>(targets + at);
    const place = directed ? j - u64(j > i) : j - i - 1;
    store<u64>(shifted + ((<usize>t) << 3), rowStart(n, directed, i) + place - <u64>t);
  }
}

/** ranks_t = draw number first + t from 0 … range − 1. */
export function drawUniform(
  begin: i32,
  end: i32,
  ranks: usize,
  first: u32,
  range0: u32,
  range1: u32,
  lo: u32,
  hi: u32,
): void {
  const range = wide(range0, range1);
  for (let t = begin; t < end; t++) store<u64>(ranks + ((<usize>t) << 3), draw(first + t, lo, hi, range));
}

/** 64-bit words 4k and 4k + 1, 4k + 2 and 4k + 3 of the stream: what {@link nextWord} made last. */
let words01: v128 = i64x2.splat(0);
let words23: v128 = i64x2.splat(0);

/** Word d of the stream, by fours: a new four is made whenever d is a multiple of four, and before the first. */
function nextWord(d: u32, begin: u32, lo: u32, hi: u32): u64 {
  if (d === begin || (d & 3) === 0) {
    philox4(d & ~3, lo, hi);
    words01 = i32x4.shuffle(word0, word1, 0, 4, 1, 5);
    words23 = i32x4.shuffle(word0, word1, 2, 6, 3, 7);
  }
  const pair = d & 2 ? words23 : words01;
  return d & 1 ? i64x2.extract_lane(pair, 1) : i64x2.extract_lane(pair, 0);
}

/** A number from stratum d, one of `larger` strata of base + 1 numbers followed by strata of base numbers. */
function stratified(d: u32, base: u64, larger: u64, word: u64): u64 {
  const start = <u64>d * base + min<u64>(<u64>d, larger);
  return start + mulHigh(word, base + u64(<u64>d < larger));
}

/**
 * Places draws begin … end − 1 and the kept pairs among them into a block in ascending order. A draw is a rank among
 * the pairs that are not kept, so draw d behind c kept pairs has index rank + c and place d + c. The ranks come from
 * `ranks`, or from strata where that is 0.
 */
export function placePairs(
  begin: i32,
  end: i32,
  sources: usize,
  targets: usize,
  weights: usize,
  n: u32,
  directed: i32,
  draws: i32,
  range0: u32,
  range1: u32,
  ranks: usize,
  lo: u32,
  hi: u32,
  floor: f32,
  numKept: i32,
  shifted: usize,
  kept: usize,
  oldSources: usize,
  oldTargets: usize,
  oldWeights: usize,
): void {
  const range = wide(range0, range1);
  const base = range / <u64>draws;
  const larger = range % <u64>draws;
  let c = 0;
  if (begin > 0 && numKept > 0) {
    const before = ranks
      ? load<u64>(ranks + ((<usize>(begin - 1)) << 3))
      : stratified(begin - 1, base, larger, philox64(begin - 1, lo, hi));
    c = firstAbove(shifted, numKept, before);
  }
  let i: u64 = 0;
  let start: u64 = 0;
  let stop: u64 = 0; // an empty row: the first draw looks for its own
  for (let d = begin; d < end; d++) {
    const rank = ranks ? load<u64>(ranks + ((<usize>d) << 3)) : stratified(d, base, larger, nextWord(d, begin, lo, hi));
    for (; c < numKept && load<u64>(shifted + ((<usize>c) << 3)) <= rank; c++) {
      copyKept(c + d, c, sources, targets, weights, kept, oldSources, oldTargets, oldWeights);
    }
    const index = rank + <u64>c;
    for (let steps = 0; index >= stop; steps++) {
      i = steps < 8 && stop > 0 ? i + 1 : rowOf(n, directed, index);
      start = rowStart(n, directed, i);
      stop = rowStart(n, directed, i + 1);
    }
    const place = <u32>(index - start);
    const at = (<usize>(d + c)) << 2;
    store<u32>(sources + at, <u32>i);
    store<u32>(targets + at, directed ? place + u32(place >= <u32>i) : <u32>i + 1 + place);
    if (weights) store<f32>(weights + at, floor);
  }
  if (end < draws) return;
  for (; c < numKept; c++) copyKept(c + draws, c, sources, targets, weights, kept, oldSources, oldTargets, oldWeights);
}

function copyKept(
  place: i32,
  c: i32,
  sources: usize,
  targets: usize,
  weights: usize,
  kept: usize,
  oldSources: usize,
  oldTargets: usize,
  oldWeights: usize,
): void {
  const from = (<usize>load<u32>(kept + ((<usize>c) << 2))) << 2;
  const to = (<usize>place) << 2;
  store<u32>(sources + to, load<u32>(oldSources + from));
  store<u32>(targets + to, load<u32>(oldTargets + from));
  store<f32>(weights + to, load<f32>(oldWeights + from));
}

/** Number of leading entries of an ascending list that are at most `value`. */
function firstAbove(list: usize, length: i32, value: u64): i32 {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (load<u64>(list + ((<usize>middle) << 3)) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sorts 64-bit integers below 2^bits by their digits of 11 bits; returns 1 if the result is in `work`, else 0. */
export function sortWide(list: usize, work: usize, length: i32, bits: u32, histogram: usize): i32 {
  let from = list;
  let to = work;
  const size = (<usize>length) << 3;
  for (let shift: u64 = 0; shift < <u64>bits; shift += 11) {
    for (let b: usize = 0; b < 8192; b += 4) store<u32>(histogram + b, 0);
    for (let at: usize = 0; at < size; at += 8) {
      const bucket = histogram + ((<usize>((load<u64>(from + at) >> shift) & 2047)) << 2);
      store<u32>(bucket, load<u32>(bucket) + 1);
    }
    startPlaces(histogram, 2048);
    for (let at: usize = 0; at < size; at += 8) {
      const value = load<u64>(from + at);
      store<u64>(to + (nextPlace(histogram, <u32>((value >> shift) & 2047)) << 3), value);
    }
    const f = from;
    from = to;
    to = f;
  }
  return i32(from !== list);
}

/** Merges two ascending lists into `out` without duplicates; returns how many values there are. */
export function mergeDistinct(out: usize, a: usize, numA: i32, b: usize, numB: i32): i32 {
  const endA = a + ((<usize>numA) << 3);
  const endB = b + ((<usize>numB) << 3);
  let to = out;
  while (a < endA || b < endB) {
    const fromA = b >= endB || (a < endA && load<u64>(a) <= load<u64>(b));
    const value = fromA ? load<u64>(a) : load<u64>(b);
    if (fromA) a += 8;
    else b += 8;
    if (to > out && load<u64>(to - 8) === value) continue;
    store<u64>(to, value);
    to += 8;
  }
  return <i32>((to - out) >> 3);
}

/** out_e = −1 if the sorted rows hold entry (source_e, target_e), else +1. */
export function pairSigns(
  begin: i32,
  end: i32,
  out: usize,
  sources: usize,
  targets: usize,
  rowPtr: usize,
  colIdx: usize,
): void {
  for (let e = begin; e < end; e++) {
    const at = (<usize>e) << 2;
    const row = rowPtr + ((<usize>load<u32>(sources + at)) << 2);
    const target = load<u32>(targets + at);
    let low = load<u32>(row);
    const last = load<u32>(row, 4);
    let high = last;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (load<u32>(colIdx + ((<usize>middle) << 2)) < target) low = middle + 1;
      else high = middle;
    }
    const found = low < last && load<u32>(colIdx + ((<usize>low) << 2)) === target;
    store<f32>(out + at, found ? -1 : 1);
  }
}
