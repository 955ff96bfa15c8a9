// Elementwise kernels over elements begin … end − 1, in whole vectors as `map-elements.ts` explains.
import { madd } from "../shared/fma";
import { mapPairs } from "./map-elements";

export function fill(begin: i32, end: i32, out: usize, bits: i32): void {
  const value = i32x4.splat(bits);
  const last = out + ((<usize>end) << 2);
  for (let p = out + ((<usize>begin) << 2); p < last; p += 16) v128.store(p, value);
}

export function copy(begin: i32, end: i32, out: usize, x: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) v128.store(out + at, v128.load(x + at));
}

class Sum {
  of(a: v128, b: v128): v128 {
    return f32x4.add(a, b);
  }
}

export function add(begin: i32, end: i32, out: usize, a: usize, b: usize): void {
  mapPairs<Sum>(begin, end, out, a, b);
}

class Difference {
  of(a: v128, b: v128): v128 {
    return f32x4.sub(a, b);
  }
}

export function sub(begin: i32, end: i32, out: usize, a: usize, b: usize): void {
  mapPairs<Difference>(begin, end, out, a, b);
}

class Product {
  of(a: v128, b: v128): v128 {
    return f32x4.mul(a, b);
  }
}

export function mul(begin: i32, end: i32, out: usize, a: usize, b: usize): void {
  mapPairs<Product>(begin, end, out, a, b);
}

class Quotient {
  of(a: v128, b: v128): v128 {
    return f32x4.div(a, b);
  }
}

export function div(begin: i32, end: i32, out: usize, a: usize, b: usize): void {
  mapPairs<Quotient>(begin, end, out, a, b);
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
