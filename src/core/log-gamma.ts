/**
 * log Γ(x) for x > 0: Stirling's series, which is accurate from x = 12 on; smaller x are raised by Γ(x + 1) = x·Γ(x).
 */
export function logGamma(x: number): number {
  let shift = 0;
  while (x < 12) shift -= Math.log(x++);
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5) - 1 / (1680 * x ** 7);
  return shift + (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}
