// Exponential, logarithm and hyperbolic tangent of four floats at once, to about one unit in the last place.
import { madd } from "./fma";

const LOG2E: f32 = <f32>Math.LOG2E;
// ln 2 in two parts: the first has few enough bits that n·LN2_HIGH is exact for |n| < 2^10.
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.1219444e-4;

/** e^x: x = n·ln 2 + r with |r| ≤ ln 2 / 2, a Taylor polynomial in r, times 2^n in two halves so that it cannot overflow early. */
export function exp4(x: v128): v128 {
  const nan = f32x4.ne(x, x);
  const bounded = f32x4.max(f32x4.min(x, f32x4.splat(89.0)), f32x4.splat(-104.0));
  const n = f32x4.nearest(f32x4.mul(bounded, f32x4.splat(LOG2E)));
  let r = f32x4.sub(bounded, f32x4.mul(n, f32x4.splat(LN2_HIGH)));
  r = f32x4.sub(r, f32x4.mul(n, f32x4.splat(LN2_LOW)));
  let p = f32x4.splat(1.0 / 5040.0);
  p = madd(p, r, f32x4.splat(1.0 / 720.0));
  p = madd(p, r, f32x4.splat(1.0 / 120.0));
  p = madd(p, r, f32x4.splat(1.0 / 24.0));
  p = madd(p, r, f32x4.splat(1.0 / 6.0));
  p = madd(p, r, f32x4.splat(0.5));
  p = f32x4.add(madd(f32x4.mul(r, r), p, r), f32x4.splat(1.0));
  const whole = i32x4.trunc_sat_f32x4_s(n);
  const half = i32x4.shr_s(whole, 1);
  const y = f32x4.mul(f32x4.mul(p, power2(half)), power2(i32x4.sub(whole, half)));
  return v128.bitselect(x, y, nan);
}

/** 2^n for n in −126 … 127, by writing the exponent bits. */
function power2(n: v128): v128 {
  return i32x4.shl(i32x4.add(n, i32x4.splat(127)), 23);
}

/** e^x − 1 without cancellation near 0. */
export function expm14(x: v128): v128 {
  let p = f32x4.splat(1.0 / 40320.0);
  p = madd(p, x, f32x4.splat(1.0 / 5040.0));
  p = madd(p, x, f32x4.splat(1.0 / 720.0));
  p = madd(p, x, f32x4.splat(1.0 / 120.0));
  p = madd(p, x, f32x4.splat(1.0 / 24.0));
  p = madd(p, x, f32x4.splat(1.0 / 6.0));
  p = madd(p, x, f32x4.splat(0.5));
  const near = madd(f32x4.mul(x, x), p, x);
  const far = f32x4.sub(exp4(x), f32x4.splat(1.0));
  return v128.bitselect(near, far, f32x4.lt(f32x4.abs(x), f32x4.splat(0.4)));
}

/** Natural logarithm: x = 2^n·(1 + f) with 1 + f in [√½, √2), log(1 + f) = 2·artanh(f / (2 + f)). */
export function log4(x: v128): v128 {
  const tiny = f32x4.lt(x, f32x4.splat(1.17549435e-38)); // subnormal: bring it into range first
  const scaled = v128.bitselect(f32x4.mul(x, f32x4.splat(8388608.0)), x, tiny);
  const bits = i32x4.sub(scaled, i32x4.splat(0x3f3504f3)); // distance from √½ in the order of floats
  let n = f32x4.convert_i32x4_s(i32x4.shr_s(bits, 23));
  n = f32x4.sub(n, v128.and(f32x4.splat(23.0), tiny));
  const m = i32x4.add(v128.and(bits, i32x4.splat(0x007fffff)), i32x4.splat(0x3f3504f3));
  const f = f32x4.sub(m, f32x4.splat(1.0));
  const s = f32x4.div(f, f32x4.add(f, f32x4.splat(2.0)));
  const s2 = f32x4.mul(s, s);
  let p = f32x4.splat(2.0 / 9.0);
  p = madd(p, s2, f32x4.splat(2.0 / 7.0));
  p = madd(p, s2, f32x4.splat(2.0 / 5.0));
  p = madd(p, s2, f32x4.splat(2.0 / 3.0));
  // log(1 + f) = f − s·(f − s²·p), which keeps the leading term exact
  const tail = f32x4.sub(f, f32x4.mul(s2, p));
  let y = f32x4.sub(f, madd(s, tail, f32x4.neg(f32x4.mul(n, f32x4.splat(LN2_LOW)))));
  y = madd(n, f32x4.splat(LN2_HIGH), y);
  y = v128.bitselect(f32x4.splat(f32.NaN), y, v128.or(f32x4.lt(x, f32x4.splat(0)), f32x4.ne(x, x)));
  y = v128.bitselect(f32x4.splat(-Infinity), y, f32x4.eq(x, f32x4.splat(0)));
  return v128.bitselect(x, y, f32x4.eq(x, f32x4.splat(Infinity)));
}

/** tanh x = sign(x)·m / (m + 2) with m = e^{2|x|} − 1, exact to the last bits near 0 and saturated far from it. */
export function tanh4(x: v128): v128 {
  const a = f32x4.abs(x);
  const m = expm14(f32x4.min(f32x4.add(a, a), f32x4.splat(40.0)));
  const y = f32x4.div(m, f32x4.add(m, f32x4.splat(2.0)));
  return v128.bitselect(x, v128.bitselect(y, x, i32x4.splat(0x7fffffff)), f32x4.ne(x, x));
}

export function exp1(x: f32): f32 {
  return f32x4.extract_lane(exp4(f32x4.splat(x)), 0);
}

export function log1(x: f32): f32 {
  return f32x4.extract_lane(log4(f32x4.splat(x)), 0);
}
