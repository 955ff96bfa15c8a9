/** What is gathered from a matrix. */
export interface Gathers {
  readonly rows: number;
  readonly cols: number;
  /** How many rows are read, counting repetitions. */
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
 * A row of 32 floats is one line of the cache, the least that a device fetches, so that fewer columns gain nothing.
 * Packing takes a launch, and in the time of a launch a large GPU gathers some 2^24 bytes.
 */
export const USUAL_PACKING: PackingRule = { leastCols: 40, leastSaved: 2 ** 24 };

/** Whether gathering halves saves enough bytes; packing costs a float read and a half written per element. */
export function packingPays({ rows, cols, entries }: Gathers, rule: PackingRule): boolean {
  const { leastCols, leastSaved } = rule;
  const packing = 6 * rows * cols;
  const gathering = 2 * entries * cols;
  return cols >= leastCols && gathering - packing >= leastSaved;
}
