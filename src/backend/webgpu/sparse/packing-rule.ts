/** What is gathered from a matrix. */
export interface Gathers {
  readonly rows: number;
  readonly cols: number;
  /** Rows that are read, each as often as it is. */
  readonly entries: number;
}

/** When rows are packed as halves before they are gathered. */
export interface PackingRule {
  /** Fewest columns. */
  readonly leastCols: number;
  /** Fewest bytes that must be saved. */
  readonly leastSaved: number;
}

/**
 * A row of 32 floats is one line of a cache, which is the least that a device fetches. Packing takes a launch, and in the time of a launch
 * a large GPU gathers some 2^24 bytes.
 */
export const USUAL_PACKING: PackingRule = { leastCols: 40, leastSaved: 2 ** 24 };

/** Whether gathering halves saves more than packing costs: a float is read and a half written for each element. */
export function packingPays({ rows, cols, entries }: Gathers, rule: PackingRule): boolean {
  const { leastCols, leastSaved } = rule;
  const packing = 6 * rows * cols;
  const gathering = 2 * entries * cols;
  return cols >= leastCols && gathering - packing >= leastSaved;
}
