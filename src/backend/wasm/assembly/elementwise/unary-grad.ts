// Derivatives of the functions of `unary.ts`: dX = dY · f'(X), from the input X or the output Y, whichever is cheaper.
import { madd } from "../shared/fma";

const LEAK: f32 = 0.2;

export function gradRelu(begin: i32, end: i32, out: usize, from: usize, fromX: usize, _fromY: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const dy = v128.load(from + at);
    const x = v128.load(fromX + at);
    v128.store(out + at, v128.and(dy, f32x4.gt(x, f32x4.splat(0))));
  }
}

export function gradLeakyRelu(begin: i32, end: i32, out: usize, from: usize, fromX: usize, _fromY: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const dy = v128.load(from + at);
    const x = v128.load(fromX + at);
    v128.store(out + at, v128.bitselect(dy, f32x4.mul(dy, f32x4.splat(LEAK)), f32x4.gt(x, f32x4.splat(0))));
  }
}

/** e^x = (e^x − 1) + 1 = y + 1 below 0. */
export function gradElu(begin: i32, end: i32, out: usize, from: usize, fromX: usize, fromY: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const dy = v128.load(from + at);
    const x = v128.load(fromX + at);
    const y = v128.load(fromY + at);
    v128.store(out + at, v128.bitselect(dy, madd(dy, y, dy), f32x4.gt(x, f32x4.splat(0))));
  }
}

export function gradTanh(begin: i32, end: i32, out: usize, from: usize, _fromX: usize, fromY: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const dy = v128.load(from + at);
    const y = v128.load(fromY + at);
    v128.store(out + at, f32x4.mul(dy, f32x4.sub(f32x4.splat(1), f32x4.mul(y, y))));
  }
}

export function gradExp(begin: i32, end: i32, out: usize, from: usize, _fromX: usize, fromY: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const dy = v128.load(from + at);
    const y = v128.load(fromY + at);
    v128.store(out + at, f32x4.mul(dy, y));
  }
}

export function gradLog(begin: i32, end: i32, out: usize, from: usize, fromX: usize, _fromY: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const dy = v128.load(from + at);
    const x = v128.load(fromX + at);
    v128.store(out + at, f32x4.div(dy, x));
  }
}

export function gradSqrt(begin: i32, end: i32, out: usize, from: usize, _fromX: usize, fromY: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const dy = v128.load(from + at);
    const y = v128.load(fromY + at);
    v128.store(out + at, f32x4.div(f32x4.mul(dy, f32x4.splat(0.5)), y));
  }
}

export function gradRsqrt(begin: i32, end: i32, out: usize, from: usize, _fromX: usize, fromY: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const dy = v128.load(from + at);
    const y = v128.load(fromY + at);
    v128.store(out + at, f32x4.mul(f32x4.mul(dy, f32x4.splat(-0.5)), f32x4.mul(y, f32x4.mul(y, y))));
  }
}

export function gradReciprocal(begin: i32, end: i32, out: usize, from: usize, _fromX: usize, fromY: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const dy = v128.load(from + at);
    const y = v128.load(fromY + at);
    v128.store(out + at, f32x4.neg(f32x4.mul(dy, f32x4.mul(y, y))));
  }
}

export function gradSquare(begin: i32, end: i32, out: usize, from: usize, fromX: usize, _fromY: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const dy = v128.load(from + at);
    const x = v128.load(fromX + at);
    v128.store(out + at, f32x4.mul(dy, f32x4.add(x, x)));
  }
}
