// Elementwise functions and their derivatives; `kind` numbers them in the order of UNARY_KINDS in unary.ts of the host.
import { madd } from "./fma";
import { exp4, expm14, log4, tanh4 } from "./math";

const LEAK: f32 = 0.2;

export function unary(begin: i32, end: i32, kind: i32, out: usize, x: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) v128.store(out + at, value(kind, v128.load(x + at)));
}

/** dX = dY · f'(X), from X and Y = f(X). */
export function unaryGrad(begin: i32, end: i32, kind: i32, dx: usize, dy: usize, x: usize, y: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    v128.store(dx + at, slope(kind, v128.load(dy + at), v128.load(x + at), v128.load(y + at)));
  }
}

function value(kind: i32, x: v128): v128 {
  const zero = f32x4.splat(0);
  if (kind === 0) return f32x4.max(x, zero);
  if (kind === 1) return v128.bitselect(x, f32x4.mul(x, f32x4.splat(LEAK)), f32x4.gt(x, zero));
  if (kind === 2) return v128.bitselect(x, expm14(x), f32x4.gt(x, zero));
  if (kind === 3) return tanh4(x);
  if (kind === 4) return exp4(x);
  if (kind === 5) return log4(x);
  if (kind === 6) return f32x4.sqrt(x);
  if (kind === 7) return v128.andnot(f32x4.div(f32x4.splat(1), f32x4.sqrt(x)), f32x4.eq(x, zero));
  if (kind === 8) return v128.andnot(f32x4.div(f32x4.splat(1), x), f32x4.eq(x, zero));
  return f32x4.mul(x, x);
}

function slope(kind: i32, dy: v128, x: v128, y: v128): v128 {
  const zero = f32x4.splat(0);
  if (kind === 0) return v128.and(dy, f32x4.gt(x, zero));
  if (kind === 1) return v128.bitselect(dy, f32x4.mul(dy, f32x4.splat(LEAK)), f32x4.gt(x, zero));
  if (kind === 2) return v128.bitselect(dy, madd(dy, y, dy), f32x4.gt(x, zero)); // (e^x − 1) + 1
  if (kind === 3) return f32x4.mul(dy, f32x4.sub(f32x4.splat(1), f32x4.mul(y, y)));
  if (kind === 4) return f32x4.mul(dy, y);
  if (kind === 5) return f32x4.div(dy, x);
  if (kind === 6) return f32x4.div(f32x4.mul(dy, f32x4.splat(0.5)), y);
  if (kind === 7) return f32x4.mul(f32x4.mul(dy, f32x4.splat(-0.5)), f32x4.mul(y, f32x4.mul(y, y)));
  if (kind === 8) return f32x4.neg(f32x4.mul(dy, f32x4.mul(y, y)));
  return f32x4.mul(dy, f32x4.add(x, x));
}
