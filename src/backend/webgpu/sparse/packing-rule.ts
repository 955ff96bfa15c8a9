/** What is gathered from a matrix. */
export interface Gathers {
  readonly rows: number;
  readonly cols: number;
  /** Rows that are read, each as often as it is. */
  readonly entries: number;
  /** Columns that are read at a time, of all rows; without them rows are read as they come. */
  readonly panel?: number;
}

/** When rows are packed as halves before they are gathered. */
export interface PackingRule {
  /** Fewest columns. */
  readonly leastCols: number;
  /** Fewest bytes that must be saved. */
  readonly leastSaved: number;
  /** Fewest bytes of columns that are read at a time; fewer stay in the cache. */
  readonly leastPanel: number;
}

/**
 * A row of 32 floats is one line of a cache, which is the least that a device fetches. Packing takes a launch, and in the time of a launch
 * a large GPU gathers some 2^24 bytes. Columns that stay in its cache gain nothing: convolutions of 169,000 rows, 64 columns at a time, take as
 * long with halves as without on an H200, while sampled products of whole rows take half the time.
 */
export const USUAL_PACKING: PackingRule = { leastCols: 40, leastSaved: 2 ** 24, leastPanel: 2 ** 26 };

/** Whether gathering halves saves more than packing costs: a float is read and a half written for each element. */
export function packingPays({ rows, cols, entries, panel }: Gathers, rule: PackingRule): boolean {
  const { leastCols, leastSaved, leastPanel } = rule;
  const packing = 6 * rows * cols;
  const gathering = 2 * entries * cols;
  const isCached = panel !== undefined && 4 * rows * panel < leastPanel;
  return cols >= leastCols && gathering - packing >= leastSaved && !isCached;
}
