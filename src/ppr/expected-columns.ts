/**
 * How many different columns `rows` random rows with `k` entries each are expected to name among `n`: n(1 − (1 − k/n)^rows), at most
 * min(n, rows·k). What an attack on PPRGo holds in memory for a block of so many candidates, if rows were random; those of a real
 * graph overlap more.
 */
export function expectedColumns(n: number, rows: number, k: number): number {
  return -n * Math.expm1(rows * Math.log1p(-k / n));
}
