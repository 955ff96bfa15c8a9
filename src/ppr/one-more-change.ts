import type { Csr } from "../graph/csr.ts";
import type { SparseRow } from "../graph/push/push.ts";
import { changedRow, type RowChange, type SlottedRows, valueAt } from "./row-update.ts";

/** A node, its neighbours in the clean graph and the changes already made to its row. */
export interface ChangedNode {
  readonly node: number;
  readonly neighbours: ArrayLike<number>;
  readonly change: RowChange;
}

/**
 * Tries many candidate changes of a node's row: the row of PageRank after each of them alone, on top of the changes
 * already made. It equals that of {@link updatePageRank}, but the node may lose its last neighbour. Where a gradient
 * only gives the slope at the start, this gives the effect of a whole flip.
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
  /** Slots at which one of these three may differ from 0, ascending. */
  readonly slots: Int32Array;
  private readonly isUsed: Uint8Array;
  private readonly ownSlot: number;

  constructor(rows: SlottedRows, { node, neighbours, change }: ChangedNode) {
    this.rows = rows;
    const { weights, sum } = changedRow(neighbours, change);
    const isUsed = new Uint8Array(rows.numSlots);
    const mix = (parts: Iterable<readonly [number, number]>) => {
      const total = new Float64Array(rows.numSlots);
      for (const [part, factor] of parts) {
        const { columns, values } = rows.row(part);
        for (let e = 0; e < columns.length; e++) {
          total[columns[e]] += factor * values[e];
          isUsed[columns[e]] = 1;
        }
      }
      return total;
    };
    this.sum = sum;
    this.weighted = mix(weights);
    this.clean = mix(Array.from(neighbours, (neighbour) => [neighbour, 1 / neighbours.length] as const));
    this.own = mix([[node, 1]]);
    this.isUsed = isUsed;
    this.slots = Int32Array.from(isUsed.keys()).filter((slot) => isUsed[slot] === 1);
    this.ownSlot = rows.slotOf(node);
  }

  /**
   * The node's row after each of these changes alone: a matrix with a row per change, whose columns are slots. `deltas`
   * are added to the weights.
   */
  rowsAfter({ nodes, deltas }: RowChange): Csr {
    const numRows = nodes.length;
    const rowPtr = new Int32Array(numRows + 1);
    for (let t = 0; t < numRows; t++)
      rowPtr[t + 1] = rowPtr[t] + this.slots.length + this.numNew(this.rows.row(nodes[t]));
    const colIdx = new Int32Array(rowPtr[numRows]);
    const values = new Float32Array(rowPtr[numRows]);
    for (let t = 0; t < numRows; t++) this.writeRow(colIdx, values, rowPtr[t], this.rows.row(nodes[t]), deltas[t]);
    return { numRows, numCols: this.rows.numSlots, rowPtr, colIdx, values };
  }

  private numNew({ columns }: SparseRow): number {
    let count = 0;
    for (let e = 0; e < columns.length; e++) if (!this.isUsed[columns[e]]) count++;
    return count;
  }

  /** Writes the row after one change, merging the slots of `row` with {@link slots}; both ascend. */
  private writeRow(colIdx: Int32Array, values: Float32Array, begin: number, row: SparseRow, delta: number): void {
    const { columns, values: added } = row;
    const { slots, own } = this;
    const mixture = this.mixtureAfter(delta);
    const factor = own[this.ownSlot] / (this.rows.alpha + mixture(this.ownSlot, valueAt(row, this.ownSlot))); // G_ii / (1 + w·G_:i)
    let at = begin;
    let a = 0;
    for (let s = 0; s < slots.length || a < columns.length; ) {
      const isOld = s < slots.length && (a === columns.length || slots[s] <= columns[a]);
      const slot = isOld ? slots[s] : columns[a];
      const value = a < columns.length && columns[a] === slot ? added[a++] : 0;
      if (isOld) s++;
      colIdx[at] = slot;
      values[at++] = Math.max(0, own[slot] - factor * mixture(slot, value));
    }
  }

  /** α·w·G at a slot where the row of the changed neighbour has this value. */
  private mixtureAfter(delta: number): (slot: number, value: number) => number {
    const { weighted, clean } = this;
    const sum = this.sum + delta;
    const inverse = sum > LEAST_SUM ? 1 / sum : 0; // without neighbours nothing is mixed in
    const scale = this.rows.alpha - 1;
    return (slot, value) => scale * ((weighted[slot] + delta * value) * inverse - clean[slot]);
  }
}

/** A row whose weights sum to less than this counts as empty: all neighbours are gone. */
const LEAST_SUM = 1e-6;
