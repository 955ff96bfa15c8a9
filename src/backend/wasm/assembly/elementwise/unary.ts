// Elementwise functions, elements begin … end − 1 as in elementwise.ts. One loop per function: a shared loop that chooses
// the function inside is compiled so that it computes all of them.
import { exp4, expm14, log4, tanh4 } from "../shared/math";

const LEAK: f32 = 0.2;

export function unaryRelu(begin: i32, end: i32, out: usize, from: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const x = v128.load(from + at);
    v128.store(out + at, f32x4.max(x, f32x4.splat(0)));
  }
}

export function unaryLeakyRelu(begin: i32, end: i32, out: usize, from: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const x = v128.load(from + at);
    v128.store(out + at, v128.bitselect(x, f32x4.mul(x, f32x4.splat(LEAK)), f32x4.gt(x, f32x4.splat(0))));
  }
}

export function unaryElu(begin: i32, end: i32, out: usize, from: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const x = v128.load(from + at);
    v128.store(out + at, v128.bitselect(x, expm14(x), f32x4.gt(x, f32x4.splat(0))));
  }
}

export function unaryTanh(begin: i32, end: i32, out: usize, from: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const x = v128.load(from + at);
    v128.store(out + at, tanh4(x));
  }
}

export function unaryExp(begin: i32, end: i32, out: usize, from: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const x = v128.load(from + at);
    v128.store(out + at, exp4(x));
  }
}

export function unaryLog(begin: i32, end: i32, out: usize, from: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const x = v128.load(from + at);
    v128.store(out + at, log4(x));
  }
}

export function unarySqrt(begin: i32, end: i32, out: usize, from: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const x = v128.load(from + at);
    v128.store(out + at, f32x4.sqrt(x));
  }
}

export function unaryRsqrt(begin: i32, end: i32, out: usize, from: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const x = v128.load(from + at);
    v128.store(out + at, v128.andnot(f32x4.div(f32x4.splat(1), f32x4.sqrt(x)), f32x4.eq(x, f32x4.splat(0))));
  }
}

export function unaryReciprocal(begin: i32, end: i32, out: usize, from: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const x = v128.load(from + at);
    v128.store(out + at, v128.andnot(f32x4.div(f32x4.splat(1), x), f32x4.eq(x, f32x4.splat(0))));
  }
}

export function unarySquare(begin: i32, end: i32, out: usize, from: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const x = v128.load(from + at);
    v128.store(out + at, f32x4.mul(x, x));
  }
}
