// Loops that measure what the machine can do at best; `rgnn bench` compares the kernels with them.
import { madd } from "../shared/fma";
import { next0, next1, next2, next3, philox8, word0, word1, word2, word3 } from "../shared/philox";

/** Reads elements begin … end − 1 (a multiple of 32) and writes their sum to slot `begin / grain`. */
export function streamCeiling(begin: i32, end: i32, out: usize, x: usize, grain: i32): void {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  const last = x + ((<usize>end) << 2);
  for (let at = x + ((<usize>begin) << 2); at < last; at += 64) {
    s0 = f32x4.add(s0, v128.load(at));
    s1 = f32x4.add(s1, v128.load(at, 16));
    s2 = f32x4.add(s2, v128.load(at, 32));
    s3 = f32x4.add(s3, v128.load(at, 48));
  }
  v128.store(out + ((<usize>(begin / grain)) << 4), f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)));
}

/** Sums rows rows_t of x, t in begin … end − 1, four at a time; begin and end are multiples of four, `bytes` of 32. */
export function gatherCeiling(begin: i32, end: i32, out: usize, rows: usize, x: usize, bytes: usize, grain: i32): void {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  let s6 = s0;
  let s7 = s0;
  for (let t = begin; t < end; t += 4) {
    const from = rows + ((<usize>t) << 2);
    let x0 = x + <usize>load<u32>(from) * bytes;
    let x1 = x + <usize>load<u32>(from, 4) * bytes;
    let x2 = x + <usize>load<u32>(from, 8) * bytes;
    let x3 = x + <usize>load<u32>(from, 12) * bytes;
    for (const last = x0 + bytes; x0 < last; x0 += 32, x1 += 32, x2 += 32, x3 += 32) {
      s0 = f32x4.add(s0, v128.load(x0));
      s1 = f32x4.add(s1, v128.load(x0, 16));
      s2 = f32x4.add(s2, v128.load(x1));
      s3 = f32x4.add(s3, v128.load(x1, 16));
      s4 = f32x4.add(s4, v128.load(x2));
      s5 = f32x4.add(s5, v128.load(x2, 16));
      s6 = f32x4.add(s6, v128.load(x3));
      s7 = f32x4.add(s7, v128.load(x3, 16));
    }
  }
  s0 = f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3));
  s4 = f32x4.add(f32x4.add(s4, s5), f32x4.add(s6, s7));
  v128.store(out + ((<usize>(begin / grain)) << 4), f32x4.add(s0, s4));
}

/** (end − begin)·12·8 flops on twelve running values that never leave the registers. */
export function multiplyAddCeiling(begin: i32, end: i32, out: usize, factor: f32, grain: i32): void {
  const f = f32x4.splat(factor);
  const g = f32x4.splat(1 - factor);
  let s0 = f32x4.splat(0);
  let s1 = f32x4.splat(1);
  let s2 = f32x4.splat(2);
  let s3 = f32x4.splat(3);
  let s4 = f32x4.splat(4);
  let s5 = f32x4.splat(5);
  let s6 = f32x4.splat(6);
  let s7 = f32x4.splat(7);
  let s8 = f32x4.splat(8);
  let s9 = f32x4.splat(9);
  let s10 = f32x4.splat(10);
  let s11 = f32x4.splat(11);
  for (let t = begin; t < end; t++) {
    s0 = madd(s0, f, g);
    s1 = madd(s1, f, g);
    s2 = madd(s2, f, g);
    s3 = madd(s3, f, g);
    s4 = madd(s4, f, g);
    s5 = madd(s5, f, g);
    s6 = madd(s6, f, g);
    s7 = madd(s7, f, g);
    s8 = madd(s8, f, g);
    s9 = madd(s9, f, g);
    s10 = madd(s10, f, g);
    s11 = madd(s11, f, g);
  }
  s0 = f32x4.add(f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)), f32x4.add(s4, s5));
  s6 = f32x4.add(f32x4.add(f32x4.add(s6, s7), f32x4.add(s8, s9)), f32x4.add(s10, s11));
  v128.store(out + ((<usize>(begin / grain)) << 4), f32x4.add(s0, s6));
}

/** Random words of counters begin … end − 1 (a multiple of eight): how many of them have their leading bit set. */
export function randomWordCeiling(begin: i32, end: i32, out: usize, lo: u32, hi: u32, grain: i32): void {
  let ones = i32x4.splat(0);
  for (let counter = begin; counter < end; counter += 8) {
    philox8(counter, lo, hi);
    ones = i32x4.add(ones, leading(word0, word1, word2, word3));
    ones = i32x4.add(ones, leading(next0, next1, next2, next3));
  }
  v128.store(out + ((<usize>(begin / grain)) << 4), f32x4.convert_i32x4_s(ones));
}

/** The sum of the leading bits in each lane. */
function leading(a: v128, b: v128, c: v128, d: v128): v128 {
  const two = i32x4.add(i32x4.shr_u(a, 31), i32x4.shr_u(b, 31));
  return i32x4.add(two, i32x4.add(i32x4.shr_u(c, 31), i32x4.shr_u(d, 31)));
}
