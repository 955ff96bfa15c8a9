import type { MarginHistogram } from "../../experiment/details/margin-histogram.ts";

/** Summed histograms of several runs, with the width of the widest bins. */
export interface MarginSums {
  readonly width: number;
  readonly first: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Adds histograms of margins, at least one. Widths are powers of two, so that narrow bins fit into wide ones. */
export function addHistograms(histograms: readonly MarginHistogram[]): MarginSums {
  const width = Math.max(...histograms.map((each) => each.width));
  const binOf = (each: MarginHistogram, k: number) => Math.floor(((each.first + k) * each.width) / width);
  const first = Math.min(...histograms.map((each) => binOf(each, 0)));
  const last = Math.max(...histograms.map((each) => binOf(each, each.before.length - 1)));
  const before = new Array<number>(last - first + 1).fill(0);
  const after = new Array<number>(last - first + 1).fill(0);
  for (const each of histograms) {
    for (const [k, count] of each.before.entries()) before[binOf(each, k) - first] += count;
    for (const [k, count] of (each.after ?? []).entries()) after[binOf(each, k) - first] += count;
  }
  return { width, first, before, after };
}

/** Standard deviation, in bins, of the Gaussian that smooths counts. */
const BANDWIDTH = 1.2;

/** A density estimate: a Gaussian spreads each binned count. The sum is kept, except for losses at the ends. */
export function smooth(counts: readonly number[]): number[] {
  const reach = Math.ceil(4 * BANDWIDTH);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, k) => Math.exp(-(((k - reach) / BANDWIDTH) ** 2) / 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return counts.map((_, k) =>
    weights.reduce((sum, weight, j) => sum + (weight / total) * (counts[k + j - reach] ?? 0), 0),
  );
}
