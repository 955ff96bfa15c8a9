import { logGamma } from "./log-gamma.ts";

/**
 * The regularised incomplete beta function I_x(a, b), by its continued fraction, or as 1 − I_{1−x}(b, a) where that
 * converges faster.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a;
  // 1 + d₁/(1 + d₂/(1 + …)) by Lentz's method: a product of ratios of successive numerators (c) and denominators (d).
  const tiny = 1e-300;
  let fraction = 1;
  let c = 1;
  let d = 0;
  for (let k = 1; k < MOST_TERMS; k++) {
    const m = k >> 1;
    const numerator = k % 2 === 1 ? -(a + m) * (a + b + m) : m * (b - m);
    const term = (numerator * x) / ((a + k - 1) * (a + k));
    d = 1 / (1 + term * d || tiny);
    c = 1 + term / c || tiny;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return front / fraction;
}

/** Most terms of the continued fraction. It needs about √(a + b): enough for counts up to ten million. */
const MOST_TERMS = 10_000;

/**
 * The x with I_x(a, b) = p: by bisection, which needs no derivative and cannot leave [0, 1]. It halves until no double lies between
 * the ends, so that the result is as exact as `incompleteBeta` is.
 */
export function inverseIncompleteBeta(p: number, a: number, b: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  let low = 0;
  let high = 1;
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (incompleteBeta(middle, a, b) < p) low = middle;
    else high = middle;
  }
}
