/** Chebyshev polynomials T_0(1/ρ), T_1(1/ρ), … up to the first value that is at least 1 / tolerance. */
export function chebyshevValues(rho: number, tolerance: number): number[] {
  const values = [1, 1 / rho];
  while (values.at(-1)! < 1 / tolerance) values.push((2 / rho) * values.at(-1)! - values.at(-2)!);
  return values;
}
