import type { Csr } from "../graph/csr.ts";
import { stackRows } from "../graph/push/top-k-rows.ts";
import { changedRow, type RowChange, type SlottedRows } from "./row-update.ts";

/** The changes to the row of a node that are there already. */
export interface ChangedNode {
  readonly node: number;
  readonly neighbours: ArrayLike<number>;
  readonly change: RowChange;
}

/**
 * What {@link updatePageRank} gives for each of many changes alone, on top of those that are there: a row per candidate, columns are
 * slots. What a step as large as a flip does, where a gradient only says how it begins. A node may lose its last neighbour here.
 */
export class OneMoreChange {
  private readonly rows: SlottedRows;
  /** Σ_j r_j Π_j of the changed row r, by slot. */
  private readonly weighted: Float64Array;
  private readonly sum: number;
  /** Σ_j A_ij Π_j / d_i, by slot. */
  private readonly clean: Float64Array;
  /** The node's own row of Π, by slot. */
  private readonly own: Float64Array;
  /** Slots at which one of these is not 0, ascending. */
  readonly slots: Int32Array;
  private readonly ownSlot: number;

  constructor(rows: SlottedRows, { node, neighbours, change }: ChangedNode) {
    this.rows = rows;
    const { weights, sum } = changedRow(neighbours, change);
    const used = new Set<number>();
    const mix = (parts: Iterable<readonly [number, number]>) => {
      const total = new Float64Array(rows.numSlots);
      for (const [part, factor] of parts) {
        const { columns, values } = rows.row(part);
        for (let e = 0; e < columns.length; e++) total[columns[e]] += factor * values[e];
        for (let e = 0; e < columns.length; e++) used.add(columns[e]);
      }
      return total;
    };
    this.sum = sum;
    this.weighted = mix(weights);
    this.clean = mix(Array.from(neighbours, (neighbour) => [neighbour, 1 / neighbours.length] as const));
    this.own = mix([[node, 1]]);
    this.slots = Int32Array.from(used).sort();
    this.ownSlot = rows.slotOf(node);
  }

  /** The row after each of these changes; `deltas` are what they add to the weights. */
  rowsAfter({ nodes, deltas }: RowChange): Csr {
    const updated = Array.from(nodes, (node, t) => this.rowAfter(node, deltas[t]));
    return stackRows(updated, this.rows.numSlots);
  }

  private rowAfter(node: number, delta: number) {
    const { alpha } = this.rows;
    const { weighted, clean, own, slots, ownSlot } = this;
    const added = this.rows.row(node);
    const sum = this.sum + delta;
    const inverse = sum > LEAST_SUM ? 1 / sum : 0; // without neighbours nothing is mixed in
    const mixture = (slot: number, value: number) =>
      (alpha - 1) * ((weighted[slot] + delta * value) * inverse - clean[slot]);
    const atOwn = mixture(ownSlot, valueAt(added.columns, added.values, ownSlot));
    const factor = own[ownSlot] / (alpha + atOwn); // G_ii / (1 + w·G_:i)
    const columns: number[] = [];
    const values: number[] = [];
    mergeSlots(slots, added.columns, added.values, (slot, value) => {
      columns.push(slot);
      values.push(Math.max(0, own[slot] - factor * mixture(slot, value)));
    });
    return { columns, values };
  }
}

/** A row whose weights add up to less than this has lost them all. */
const LEAST_SUM = 1e-6;

/** Visits the union of two ascending lists of slots, with the value of the second list or 0. */
function mergeSlots(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  values: ArrayLike<number>,
  visit: (slot: number, value: number) => void,
): void {
  let s = 0;
  for (let f = 0; f < first.length; f++) {
    for (; s < second.length && second[s] < first[f]; s++) visit(second[s], values[s]);
    const isBoth = s < second.length && second[s] === first[f];
    visit(first[f], isBoth ? values[s++] : 0);
  }
  for (; s < second.length; s++) visit(second[s], values[s]);
}

function valueAt(columns: ArrayLike<number>, values: ArrayLike<number>, column: number): number {
  for (let e = 0; e < columns.length; e++) if (columns[e] === column) return values[e];
  return 0;
}
