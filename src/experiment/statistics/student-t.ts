import { incompleteBeta } from "../../core/incomplete-beta.ts";

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
