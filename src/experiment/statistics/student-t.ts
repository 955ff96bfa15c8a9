/** P(T ≤ t) of Student's t distribution. */
export function studentCdf(t: number, degreesOfFreedom: number): number {
  const x = degreesOfFreedom / (degreesOfFreedom + t * t);
  const tail = incompleteBeta(x, degreesOfFreedom / 2, 0.5) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** The t with P(T ≤ t) = p, for p in (0, 1): by bisection. */
export function studentQuantile(p: number, degreesOfFreedom: number): number {
  if (p < 0.5) return -studentQuantile(1 - p, degreesOfFreedom);
  let low = 0;
  let high = 1;
  while (studentCdf(high, degreesOfFreedom) < p) high *= 2;
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    if (studentCdf(middle, degreesOfFreedom) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** I_x(a, b), the regularised incomplete beta function: by its continued fraction, on the side where that converges quickly. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log(1 - x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a;
  // 1 + d₁/(1 + d₂/(1 + …)) by Lentz's method: a product of ratios of successive numerators (c) and denominators (d).
  const tiny = 1e-300;
  let fraction = 1;
  let c = 1;
  let d = 0;
  for (let k = 1; k < 1000; k++) {
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

/** log Γ(x) for x > 0: Stirling's series, after moving x up to where it is exact. */
function logGamma(x: number): number {
  let shift = 0;
  while (x < 12) shift -= Math.log(x++);
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5) - 1 / (1680 * x ** 7);
  return shift + (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}
