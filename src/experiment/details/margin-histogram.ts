/**
 * Margins of some nodes before and after an attack, counted in bins. Bins begin at multiples of their width, which is a
 * power of two. Histograms of several seeds can therefore be added: bins of the finer one fit into those of the
 * coarser.
 */
export interface MarginHistogram {
  readonly width: number;
  /** The first bin begins at `first * width`. */
  readonly first: number;
  readonly before: readonly number[];
  /** Null where nothing was attacked. */
  readonly after: readonly number[] | null;
}

const MOST_BINS = 48;

/** Counts margins in at most about fifty bins. Null if there are no finite margins. */
export function marginHistogram(
  before: ArrayLike<number>,
  after: ArrayLike<number> | null = null,
): MarginHistogram | null {
  const { low, high } = rangeOf(before, after ?? []);
  if (low > high) return null;
  const width = 2 ** Math.max(-20, Math.ceil(Math.log2((high - low) / MOST_BINS || 1)));
  const first = Math.floor(low / width);
  const numBins = Math.floor(high / width) - first + 1;
  const count = (margins: ArrayLike<number>) => {
    const counts = new Array<number>(numBins).fill(0);
    for (let k = 0; k < margins.length; k++) {
      if (Number.isFinite(margins[k])) counts[Math.floor(margins[k] / width) - first]++;
    }
    return counts;
  };
  return { width, first, before: count(before), after: after && count(after) };
}

function rangeOf(...lists: readonly ArrayLike<number>[]): { low: number; high: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const list of lists) {
    for (let k = 0; k < list.length; k++) {
      if (!Number.isFinite(list[k])) continue;
      low = Math.min(low, list[k]);
      high = Math.max(high, list[k]);
    }
  }
  return { low, high };
}
