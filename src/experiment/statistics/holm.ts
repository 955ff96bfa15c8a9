/**
 * p-values of several comparisons, corrected for their number (Holm 1979): if no comparison has a true difference, the
 * chance that any corrected p-value is below a level is at most that level. Comparisons without a p-value do not count.
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const order = pValues.flatMap((p, k) => (p === null ? [] : [{ p, k }])).sort((a, b) => a.p - b.p);
  const corrected: (number | null)[] = pValues.map(() => null);
  let largest = 0;
  for (const [rank, { p, k }] of order.entries()) {
    largest = Math.max(largest, Math.min(1, p * (order.length - rank)));
    corrected[k] = largest;
  }
  return corrected;
}
