/**
 * The expected number of distinct columns, out of `n`, in `rows` random rows of `k` entries each:
 * n(1 − (1 − k/n)^rows), at most min(n, rows·k). An attack on PPRGo would hold this many in memory for a block of `rows`
 * candidates if rows were random. Rows of a real graph overlap more, so it holds fewer.
 */
export function expectedColumns(n: number, rows: number, k: number): number {
  return -n * Math.expm1(rows * Math.log1p(-k / n));
}
