import { check } from "../core/errors.ts";
import type { SparseRow } from "../graph/push/push.ts";

/** Rows of PageRank Π whose columns are slots: numbers from 0 on that stand for the nodes that the rows name. */
export interface SlottedRows {
  /** Restart probability α. */
  readonly alpha: number;
  readonly numSlots: number;
  /** Slot of a node that a row names, or −1. */
  slotOf(node: number): number;
  /** Row of one node; its columns are slots. */
  row(node: number): SparseRow;
}

/**
 * Weights added to one node's row of the adjacency: positive for (a part of) a new edge, negative to remove (a part of)
 * an existing one.
 */
export interface RowChange {
  readonly nodes: ArrayLike<number>;
  /** Not 0. */
  readonly deltas: ArrayLike<number>;
}

/**
 * What the gradient does with the denominator of the closed form: `constant` as in the published code, or `exact`, which
 * is the derivative of the value that {@link updatePageRank} returns.
 */
export type DenominatorGradient = "constant" | "exact";

/**
 * Entries less than this below 0 count as 0 with a rounding error: they keep their gradient. Entries further below are
 * cut off.
 */
const ROUNDING = 1e-14;

/** A row of PageRank after a change, and its derivative. */
export interface UpdatedPageRank {
  /** Slots at which the row was computed; it is 0 elsewhere. */
  readonly slots: readonly number[];
  /** By slot. */
  readonly values: Float64Array;
  /**
   * Turns the gradient with respect to the values, by slot, into that with respect to the weight of each of `nodes` in
   * the adjacency. At weight 0 this is the derivative from above: entries at 0 that more weight would raise count.
   */
  gradient(byValues: Float64Array, nodes: ArrayLike<number>, denominator: DenominatorGradient): Float64Array;
}

/**
 * Row `node` of personalised PageRank after row `node` of the adjacency changed, in closed form (Geisler et al. 2021, section
 * 4, by Sherman and Morrison): with G = Π/α, r the changed row, ρ its sum and
 *
 *     w = (α − 1)·(r/ρ − A_i/d_i),    Π̃_i = α·max(0, G_i − G_ii·(w·G) / (1 + w·G_:i)).
 *
 * The factor α − 1 is missing in the paper. The result is exact if Π is. Only the rows of the node, of its `neighbours`
 * and of the changed nodes are read, so neither time nor memory grows with the graph.
 */
export function updatePageRank(
  rows: SlottedRows,
  node: number,
  neighbours: ArrayLike<number>,
  change: RowChange,
): UpdatedPageRank {
  const { alpha } = rows;
  const row = changedRow(neighbours, change);
  check(
    row.weights.size === 0 || row.sum > 0,
    () =>
      `updatePageRank: the changed row of node ${node} must have a sum above 0, got ${row.sum}; leave it a neighbour`,
  );
  const mixture = mixRows(rows, neighbours, row); // w·Π, by slot
  const own = rows.slotOf(node);
  const clean = rows.row(node);
  const denominator = 1 + (own < 0 ? 0 : mixture.values[own]) / alpha;
  const factor = valueAt(clean, own) / (alpha * denominator); // G_ii / (1 + w·G_:i)

  const values = new Float64Array(rows.numSlots);
  for (const slot of mixture.slots) values[slot] = -factor * mixture.values[slot];
  for (let e = 0; e < clean.columns.length; e++) values[clean.columns[e]] += clean.values[e];
  const slots = [...new Set([...mixture.slots, ...Array.from(clean.columns)])];
  const cut = slots.filter((slot) => values[slot] < -ROUNDING);
  for (const slot of slots) values[slot] = Math.max(0, values[slot]);

  const gradient: UpdatedPageRank["gradient"] = (byValues, nodes, kind) => {
    const byMixture = byValues.map((g) => -factor * g);
    for (const slot of cut) byMixture[slot] = 0;
    if (kind === "exact" && own >= 0) {
      let inner = 0;
      for (const slot of mixture.slots) inner += byMixture[slot] * mixture.values[slot];
      byMixture[own] -= inner / (alpha * denominator);
    }
    return gradientByRow(rows, row, nodes, byMixture);
  };
  return { slots, values, gradient };
}

/** A row of the relaxed adjacency. */
export interface WeightedRow {
  readonly weights: ReadonlyMap<number, number>;
  readonly sum: number;
}

export function changedRow(neighbours: ArrayLike<number>, { nodes, deltas }: RowChange): WeightedRow {
  const weights = new Map<number, number>();
  for (let t = 0; t < neighbours.length; t++) weights.set(neighbours[t], 1);
  for (let t = 0; t < nodes.length; t++) weights.set(nodes[t], (weights.get(nodes[t]) ?? 0) + deltas[t]);
  let sum = 0;
  for (const weight of weights.values()) sum += weight;
  return { weights, sum };
}

/** w·Π with w = (α − 1)·(r/ρ − A_i/d_i). */
function mixRows(rows: SlottedRows, neighbours: ArrayLike<number>, { weights, sum }: WeightedRow) {
  const shares = new Map<number, number>();
  for (const [node, weight] of weights) shares.set(node, weight / sum);
  for (let t = 0; t < neighbours.length; t++) {
    shares.set(neighbours[t], shares.get(neighbours[t])! - 1 / neighbours.length);
  }
  const values = new Float64Array(rows.numSlots);
  const isSeen = new Uint8Array(rows.numSlots);
  const slots: number[] = [];
  for (const [node, share] of shares) {
    const w = (rows.alpha - 1) * share;
    if (w === 0) continue;
    const { columns, values: entries } = rows.row(node);
    for (let e = 0; e < columns.length; e++) {
      const slot = columns[e];
      values[slot] += w * entries[e];
      if (isSeen[slot]) continue;
      isSeen[slot] = 1;
      slots.push(slot);
    }
  }
  return { values, slots };
}

/** Turns the gradient with respect to w·Π into that with respect to the weights r, through w and r/ρ. */
function gradientByRow(
  rows: SlottedRows,
  { weights, sum }: WeightedRow,
  nodes: ArrayLike<number>,
  byMixture: Float64Array,
): Float64Array {
  const byShare = (node: number) => {
    const { columns, values } = rows.row(node);
    let total = 0;
    for (let e = 0; e < columns.length; e++) total += byMixture[columns[e]] * values[e];
    return (rows.alpha - 1) * total;
  };
  let mean = 0;
  for (const [node, weight] of weights) if (weight !== 0) mean += (byShare(node) * weight) / sum;
  const scale = sum > 0 ? sum : 1; // an empty row: the first node to get weight gets the whole share
  return Float64Array.from(nodes, (node) => (byShare(node) - mean) / scale);
}

/** The entry of a row in this column, or 0 if there is none. */
export function valueAt({ columns, values }: SparseRow, column: number): number {
  for (let e = 0; e < columns.length; e++) if (columns[e] === column) return values[e];
  return 0;
}
