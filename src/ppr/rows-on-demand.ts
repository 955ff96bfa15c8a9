import type { Csr } from "../graph/csr.ts";
import type { SparseRow } from "../graph/push/push.ts";
import type { SlottedRows } from "./row-update.ts";

/** How {@link RowsOnDemand} gets and keeps rows. */
export interface RowsOnDemandOptions {
  /** Restart probability α of the rows. */
  readonly alpha: number;
  /** Most entries that are kept for later. Rows that are in use are kept even if they have more. Default 16 million. */
  readonly mostEntries?: number;
}

const MOST_ENTRIES = 2 ** 24;

/** Computes rows of PageRank, one for each of `nodes` in this order. */
export type PushNodes = (nodes: Int32Array) => Csr | Promise<Csr>;

/**
 * Rows of PageRank, pushed when they are first needed and kept while there is room. Every node that appears in a kept
 * row gets a slot. Arrays of values per node are indexed by slot, so their length depends on the kept rows, not on the
 * size of the graph.
 */
export class RowsOnDemand implements SlottedRows {
  readonly alpha: number;
  /** Changes whenever slots may have been added or reassigned. */
  version = 0;
  /** Changes whenever slots are reassigned to other nodes. As long as it stays the same, slots are only added. */
  generation = 0;
  private readonly push: PushNodes;
  private readonly mostEntries: number;
  private rows = new Map<number, SparseRow>();
  private slots = new Map<number, number>();
  private names: number[] = [];
  private numEntries = 0;

  constructor(push: PushNodes, { alpha, mostEntries = MOST_ENTRIES }: RowsOnDemandOptions) {
    this.push = push;
    this.alpha = alpha;
    this.mostEntries = mostEntries;
  }

  /**
   * Pushes the rows that are missing. If more than `mostEntries` entries are kept by then, all other rows are forgotten
   * first.
   */
  async require(nodes: Iterable<number>): Promise<void> {
    const wanted = [...new Set(nodes)];
    const isMissing = (node: number) => !this.rows.has(node);
    if (!wanted.some(isMissing)) return;
    this.version++;
    if (this.numEntries > this.mostEntries) this.forgetAllBut(wanted);
    const missing = wanted.filter(isMissing);
    this.add(missing, await this.push(Int32Array.from(missing)));
  }

  get numSlots(): number {
    return this.names.length;
  }

  slotOf(node: number): number {
    return this.slots.get(node) ?? -1;
  }

  /** The node that a slot stands for. */
  nodeAt(slot: number): number {
    return this.names[slot];
  }

  /** The row of a node that was required before; throws if it was not. */
  row(node: number): SparseRow {
    const row = this.rows.get(node);
    if (!row) throw new Error(`RowsOnDemand: row ${node} was not required`);
    return row;
  }

  /** The slot of a node, new if it has none. */
  private addSlot(node: number): number {
    const known = this.slots.get(node);
    if (known !== undefined) return known;
    this.slots.set(node, this.names.length);
    return this.names.push(node) - 1;
  }

  private add(nodes: readonly number[], { rowPtr, colIdx, values }: Csr): void {
    for (const [k, node] of nodes.entries()) {
      const columns = colIdx.subarray(rowPtr[k], rowPtr[k + 1]);
      this.keep(node, columns, values!.subarray(rowPtr[k], rowPtr[k + 1]));
    }
  }

  /**
   * Keeps a row with ascending slots, so that rows can be merged. By insertion sort: new slots are the highest, so most
   * entries are in place already.
   */
  private keep(node: number, columns: ArrayLike<number>, values: ArrayLike<number>): void {
    const slots = new Int32Array(columns.length);
    const sorted = new Float32Array(columns.length);
    for (let e = 0; e < columns.length; e++) {
      const slot = this.addSlot(columns[e]);
      let at = e;
      for (; at > 0 && slots[at - 1] > slot; at--) {
        slots[at] = slots[at - 1];
        sorted[at] = sorted[at - 1];
      }
      slots[at] = slot;
      sorted[at] = values[e];
    }
    this.rows.set(node, { columns: slots, values: sorted });
    this.numEntries += columns.length;
  }

  private forgetAllBut(nodes: readonly number[]): void {
    const { rows: old, names } = this;
    this.generation++;
    this.rows = new Map();
    this.slots = new Map();
    this.names = [];
    this.numEntries = 0;
    for (const node of nodes) {
      const row = old.get(node);
      if (!row) continue;
      this.keep(
        node,
        Array.from(row.columns, (slot) => names[slot]),
        row.values,
      );
    }
  }
}
