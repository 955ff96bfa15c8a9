// Elementwise kernels over elements begin … end − 1. Buffers are padded to whole vectors, so there is no tail: the last
// vector may touch padding that nobody reads. Ranges begin at multiples of four.
import { madd } from "../shared/fma";

export function fill(begin: i32, end: i32, out: usize, bits: i32): void {
  const value = i32x4.splat(bits);
  const last = out + ((<usize>end) << 2);
  for (let p = out + ((<usize>begin) << 2); p < last; p += 16) v128.store(p, value);
}

export function copy(begin: i32, end: i32, out: usize, x: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) v128.store(out + at, v128.load(x + at));
}

export function add(begin: i32, end: i32, out: usize, a: usize, b: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    v128.store(out + at, f32x4.add(v128.load(a + at), v128.load(b + at)));
  }
}

export function sub(begin: i32, end: i32, out: usize, a: usize, b: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    v128.store(out + at, f32x4.sub(v128.load(a + at), v128.load(b + at)));
  }
}

export function mul(begin: i32, end: i32, out: usize, a: usize, b: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    v128.store(out + at, f32x4.mul(v128.load(a + at), v128.load(b + at)));
  }
}

export function div(begin: i32, end: i32, out: usize, a: usize, b: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    v128.store(out + at, f32x4.div(v128.load(a + at), v128.load(b + at)));
  }
}

/** out = a·A + c. */
export function affine(begin: i32, end: i32, out: usize, a: f32, A: usize, c: f32): void {
  const slope = f32x4.splat(a);
  const shift = f32x4.splat(c);
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) v128.store(out + at, madd(slope, v128.load(A + at), shift));
}

/** out = a·A + b·B + c. */
export function affine2(begin: i32, end: i32, out: usize, a: f32, A: usize, b: f32, B: usize, c: f32): void {
  const slopeA = f32x4.splat(a);
  const slopeB = f32x4.splat(b);
  const shift = f32x4.splat(c);
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    v128.store(out + at, madd(slopeA, v128.load(A + at), madd(slopeB, v128.load(B + at), shift)));
  }
}

export function clip(begin: i32, end: i32, out: usize, x: usize, low: f32, high: f32): void {
  const lows = f32x4.splat(low);
  const highs = f32x4.splat(high);
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    v128.store(out + at, f32x4.min(f32x4.max(v128.load(x + at), lows), highs));
  }
}
