// Random numbers below a bound, as `samplePairs` of backend.ts defines them: narrow ranges take 32-bit words, wide ones 64.

import { next0, next1, next2, next3, philox4, philox8, philox64, word0, word1, word2, word3 } from "../shared/philox";
import { fromHalves } from "./pair-index";

/** Ranges up to this size are drawn from 32-bit words, which favour no number by more than a 65536th of its share. */
const NARROW: u64 = 65536;

/** Draw t from 0 … width − 1. */
function draw(t: u32, lo: u32, hi: u32, width: u64): u64 {
  if (width > NARROW) return mulHigh(philox64(t, lo, hi), width);
  return (word32(t, lo, hi) * width) >> 32;
}

/** Word t mod 4 of counter t / 4. */
function word32(t: u32, lo: u32, hi: u32): u64 {
  philox4(t >> 2, lo, hi);
  const words = (t & 3) === 0 ? word0 : (t & 3) === 1 ? word1 : (t & 3) === 2 ? word2 : word3;
  return <u64>(<u32>i32x4.extract_lane(words, 0));
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

/** ranks_t = draw t from stratum t of 0 … range − 1, or draw first + t from the whole range if `strata` is 0. */
export function drawRanks(
  begin: i32,
  end: i32,
  ranks: usize,
  first: u32,
  strata: i32,
  range0: u32,
  range1: u32,
  lo: u32,
  hi: u32,
): void {
  const range = fromHalves(range0, range1);
  if (strata === 0) {
    for (let t = begin; t < end; t++) store<u64>(ranks + ((<usize>t) << 3), draw(first + t, lo, hi, range));
    return;
  }
  const base = range / <u64>strata;
  const larger = range % <u64>strata;
  for (let t = begin; t < end; t++) store<u64>(ranks + ((<usize>t) << 3), stratified(t, base, larger, lo, hi));
}

/** A number from stratum t: the first `larger` strata have base + 1 numbers, the others base. */
export function stratified(t: u32, base: u64, larger: u64, lo: u32, hi: u32): u64 {
  return stratumStart(t, base, larger) + draw(t, lo, hi, base + u64(<u64>t < larger));
}

export function stratumStart(t: u32, base: u64, larger: u64): u64 {
  return <u64>t * base + min<u64>(<u64>t, larger);
}

/** Draws from narrow strata first … end − 1, minus `origin`, as 32-bit integers at `to`; first is a multiple of 32. */
export function narrowStrata(
  to: usize,
  first: u32,
  end: u32,
  base: u32,
  larger: u32,
  origin: u32,
  lo: u32,
  hi: u32,
): void {
  for (let d = first; d < end; d += 32, to += 128) {
    philox8(d >> 2, lo, hi);
    narrow16(to, d, word0, word1, word2, word3, base, larger, origin);
    narrow16(to + 64, d + 16, next0, next1, next2, next3, base, larger, origin);
  }
}

/** The same for sixteen strata. Vectors hold one word of four counters; transposed, they hold consecutive draws. */
function narrow16(
  to: usize,
  first: u32,
  w0: v128,
  w1: v128,
  w2: v128,
  w3: v128,
  base: u32,
  larger: u32,
  origin: u32,
): void {
  const t = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3));
  const ab0 = i32x4.shuffle(w0, w1, 0, 4, 1, 5);
  const ab1 = i32x4.shuffle(w0, w1, 2, 6, 3, 7);
  const cd0 = i32x4.shuffle(w2, w3, 0, 4, 1, 5);
  const cd1 = i32x4.shuffle(w2, w3, 2, 6, 3, 7);
  v128.store(to, narrow4(i64x2.shuffle(ab0, cd0, 0, 2), t, base, larger, origin));
  v128.store(to, narrow4(i64x2.shuffle(ab0, cd0, 1, 3), i32x4.add(t, i32x4.splat(4)), base, larger, origin), 16);
  v128.store(to, narrow4(i64x2.shuffle(ab1, cd1, 0, 2), i32x4.add(t, i32x4.splat(8)), base, larger, origin), 32);
  v128.store(to, narrow4(i64x2.shuffle(ab1, cd1, 1, 3), i32x4.add(t, i32x4.splat(12)), base, larger, origin), 48);
}

/** The same for four strata, whose words are given. */
function narrow4(words: v128, t: v128, base: u32, larger: u32, origin: u32): v128 {
  const limit = i32x4.splat(larger);
  const width = i32x4.sub(i32x4.splat(base), i32x4.lt_u(t, limit));
  const start = i32x4.add(i32x4.mul(t, i32x4.splat(base)), i32x4.min_u(t, limit));
  const low = i64x2.extmul_low_i32x4_u(words, width);
  const high = i64x2.extmul_high_i32x4_u(words, width);
  return i32x4.add(i32x4.sub(start, i32x4.splat(origin)), i32x4.shuffle(low, high, 1, 3, 5, 7));
}
