// Sums and maxima over the lanes of a vector and over short runs of floats.
import { madd } from "./fma";

/** Sum of the four lanes, as ((0 + 2) + (1 + 3)). */
export function sum4(x: v128): f32 {
  const pairs = f32x4.add(x, i32x4.shuffle(x, x, 2, 3, 0, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

/** The sum of the lanes of each of four vectors. */
export function sums4(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7));
  const cd = f32x4.add(i32x4.shuffle(c, d, 0, 4, 1, 5), i32x4.shuffle(c, d, 2, 6, 3, 7));
  return f32x4.add(i32x4.shuffle(ab, cd, 0, 1, 4, 5), i32x4.shuffle(ab, cd, 2, 3, 6, 7));
}

/** Largest of the four lanes. */
export function max4(x: v128): f32 {
  const pairs = f32x4.max(x, i32x4.shuffle(x, x, 2, 3, 0, 1));
  return max(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1));
}

/** Sum of the four lanes in double precision. */
export function sum4wide(x: v128): f64 {
  const low = f64x2.promote_low_f32x4(x);
  const high = f64x2.promote_low_f32x4(i32x4.shuffle(x, x, 2, 3, 0, 1));
  const both = f64x2.add(low, high);
  return f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
}

/** Dot product of `bytes / 4` floats with four running sums. */
export function dotRow(a: usize, b: usize, bytes: usize): f32 {
  let s0 = f32x4.splat(0);
  let s1 = f32x4.splat(0);
  let at: usize = 0;
  for (; at + 32 <= bytes; at += 32) {
    s0 = madd(v128.load(a + at), v128.load(b + at), s0);
    s1 = madd(v128.load(a + at, 16), v128.load(b + at, 16), s1);
  }
  let sum = sum4(f32x4.add(s0, s1));
  for (; at < bytes; at += 4) sum += load<f32>(a + at) * load<f32>(b + at);
  return sum;
}

export function sumRow(a: usize, bytes: usize): f32 {
  let s0 = f32x4.splat(0);
  let s1 = f32x4.splat(0);
  let at: usize = 0;
  for (; at + 32 <= bytes; at += 32) {
    s0 = f32x4.add(v128.load(a + at), s0);
    s1 = f32x4.add(v128.load(a + at, 16), s1);
  }
  let sum = sum4(f32x4.add(s0, s1));
  for (; at < bytes; at += 4) sum += load<f32>(a + at);
  return sum;
}
