import { type Csr, transpose } from "../../../graph/csr.ts";
import type { Flips } from "../../../graph/flips.ts";
import type { Values } from "../../../tensor/index.ts";
import type { CleanLayer, CleanStack } from "./clean-stack.ts";
import { type ChangedEntry, EdgeChanges } from "./edge-changes.ts";
import { LayerPatch } from "./layer-patch.ts";
import { addScaledRow, allocLike } from "./row-arithmetic.ts";

/** A row of a matrix: the matrix, and where the row begins. */
export type Row = readonly [Values, number];

/**
 * A stack of convolutions on the clean graph with weighted flips, for one node at a time: only rows that the node's logits depend on and
 * that differ from the clean graph are computed. The others are read from it.
 *
 * With Ã = A + I and factors r and c of the normalisation, row u of a layer is r_u Σ_v Ã_uv c_v V_v. A row that changes is the clean
 * sum plus the differences at the neighbours whose factor or row changed.
 */
export class PatchedPass {
  readonly stack: CleanStack;
  readonly changes: EdgeChanges;
  /** One per layer of the stack. */
  readonly patches: readonly LayerPatch[];
  /** How often it ran. */
  runs = 0;
  /** 1 at nodes whose factor or row differs from the clean graph. */
  private readonly isMoved: Uint8Array;
  /** Row v lists the rows that have column v. */
  private readonly transposed: Csr;

  constructor(stack: CleanStack) {
    const { numNodes, adjacency, directed } = stack.graph;
    this.stack = stack;
    this.transposed = directed ? transpose(adjacency) : adjacency;
    this.changes = new EdgeChanges(stack);
    this.patches = stack.layers.map(() => new LayerPatch(numNodes));
    this.isMoved = new Uint8Array(numNodes);
  }

  /**
   * Logits of `node` with these flips. What the pass computed stays valid until the next one, which must not begin
   * before this one is over. For a {@link PatchedGradient} by pairs, rows of the nodes where `isEnd` is 1 are computed
   * too: a pair that is not in use passes nothing on from its end, but the gradient needs that row.
   */
  async run(
    node: number,
    flips: Flips,
    deltas: ArrayLike<number>,
    isEnd: Uint8Array | null = null,
  ): Promise<Float64Array> {
    const { changes, patches, isMoved } = this;
    this.runs++;
    changes.set(flips, deltas);
    this.chooseRows(node);
    const rescaled = this.stack.normalisation === "symmetric" ? [...changes.rescaled] : [];
    for (const moved of rescaled) isMoved[moved] = 1;
    let moved = rescaled;
    for (const [l, patch] of patches.entries()) {
      patch.change(this.changedRows(l, moved, isEnd));
      await this.patchLayer(l);
      for (const row of patch.changed) isMoved[row] = 1;
      moved = [...new Set([...rescaled, ...patch.changed])];
    }
    for (const rows of [rescaled, ...patches.map(({ changed }) => changed)]) for (const row of rows) isMoved[row] = 0;
    return this.logitsOf(node);
  }

  /** Row `node` of V in a layer. */
  input(l: number, node: number): Row {
    const { V, width } = this.stack.layers[l];
    const place = l === 0 ? 0 : this.patches[l - 1].changedPlaces[node];
    return place === 0 ? [V, node * width] : [this.patches[l - 1].outputs, (place - 1) * width];
  }

  /** Σ_v Ã_uv c_v V_v of a needed row. */
  sum(l: number, node: number): Row {
    const { sums, width } = this.stack.layers[l];
    const place = this.patches[l].changedPlaces[node];
    return place === 0 ? [sums, node * width] : [this.patches[l].sums, (place - 1) * width];
  }

  /** The last layer needs the node itself, each other one the neighbours of the rows that the layer after it needs. */
  private chooseRows(node: number): void {
    const { rowPtr, colIdx } = this.stack.graph.adjacency;
    for (const patch of this.patches) patch.clear();
    this.patches.at(-1)!.need(node);
    for (let l = this.patches.length - 1; l > 0; l--) {
      const before = this.patches[l - 1];
      for (const row of this.patches[l].rows) {
        before.need(row);
        for (let e = rowPtr[row]; e < rowPtr[row + 1]; e++) before.need(colIdx[e]);
        for (const { column } of this.changes.of(row)) before.need(column);
      }
    }
  }

  /** The needed rows of a layer that differ from the clean graph, given the nodes that moved before it. */
  private changedRows(l: number, moved: readonly number[], isEnd: Uint8Array | null): number[] {
    const { places } = this.patches[l];
    const behind = this.patches.length - 1 - l;
    const isWanted = (row: number) =>
      places[row] > 0 || (isEnd !== null && (behind > 1 || (behind === 1 && isEnd[row] > 0)));
    const { rowPtr, colIdx } = this.transposed;
    const rows = new Set<number>();
    const add = (row: number) => {
      if (isWanted(row)) rows.add(row);
    };
    for (const row of this.changes.rows) add(row);
    for (const node of moved) {
      add(node); // the self loop
      for (let e = rowPtr[node]; e < rowPtr[node + 1]; e++) add(colIdx[e]);
    }
    return [...rows];
  }

  private async patchLayer(l: number): Promise<void> {
    const patch = this.patches[l];
    const { V, width } = this.stack.layers[l];
    patch.sums = allocLike(V, patch.changed.length * width);
    for (const [place, row] of patch.changed.entries()) this.writeSum([patch.sums, place * width], l, row);
    patch.outputs = await this.outputsOf(l);
  }

  /**
   * The clean sum, with c_v V_v replaced by its value now for every neighbour v that moved; the self loop is one. A row
   * that loses edges is summed afresh, because taking most of a sum away leaves little but rounding errors.
   */
  private writeSum(out: Row, l: number, row: number): void {
    const { sums, width } = this.stack.layers[l];
    const entries = this.changes.of(row);
    if (entries.some(({ delta }) => delta < 0)) {
      this.addNeighbours(out, l, row, entries);
      return;
    }
    const { rowPtr, colIdx } = this.stack.graph.adjacency;
    addScaledRow(out, 1, [sums, row * width], width);
    for (let e = rowPtr[row]; e < rowPtr[row + 1]; e++)
      if (this.isMoved[colIdx[e]]) this.addMovement(out, l, colIdx[e]);
    if (this.isMoved[row]) this.addMovement(out, l, row);
    for (const { column, delta } of entries) this.addNeighbour(out, l, column, delta);
  }

  private addNeighbours(out: Row, l: number, row: number, entries: readonly ChangedEntry[]): void {
    const { rowPtr, colIdx } = this.stack.graph.adjacency;
    const deltas = new Map(entries.map(({ column, delta }) => [column, delta]));
    for (let e = rowPtr[row]; e < rowPtr[row + 1]; e++) {
      this.addNeighbour(out, l, colIdx[e], 1 + (deltas.get(colIdx[e]) ?? 0));
      deltas.delete(colIdx[e]);
    }
    this.addNeighbour(out, l, row, 1);
    for (const [column, delta] of deltas) this.addNeighbour(out, l, column, delta);
  }

  private addNeighbour(out: Row, l: number, column: number, weight: number): void {
    const { width } = this.stack.layers[l];
    if (weight !== 0) addScaledRow(out, weight * this.changes.columnFactors[column], this.input(l, column), width);
  }

  private addMovement(out: Row, l: number, column: number): void {
    const { V, width } = this.stack.layers[l];
    addScaledRow(out, this.changes.columnFactors[column], this.input(l, column), width);
    addScaledRow(out, -this.changes.cleanColumnFactor(column), [V, column * width], width);
  }

  /** Computes V of the next layer from the sums of the changed rows. */
  private async outputsOf(l: number): Promise<Values> {
    const { changed, sums } = this.patches[l];
    const next = this.stack.layers.at(l + 1);
    const H = sums.slice();
    for (const [place, row] of changed.entries())
      finishRow(H, place, this.changes.rowFactors[row], this.stack.layers[l]);
    return next?.weight ? next.weight.times(H) : H;
  }

  /** Reads the logits from the last layer, where the row of `node` may be one that did not change. */
  private logitsOf(node: number): Float64Array {
    const last = this.stack.layers.length - 1;
    const layer = this.stack.layers[last];
    const [sums, begin] = this.sum(last, node);
    const row = Float64Array.from(sums.subarray(begin, begin + layer.width));
    finishRow(row, 0, this.changes.rowFactors[node], layer);
    return row;
  }
}

/** σ(factor·row ∘ scale + shift), in place. */
function finishRow(rows: Values, place: number, factor: number, { width, scale, shift, relu }: CleanLayer): void {
  for (let c = 0; c < width; c++) {
    const value = factor * rows[place * width + c] * (scale ? scale[c] : 1) + (shift ? shift[c] : 0);
    rows[place * width + c] = relu && value < 0 ? 0 : value;
  }
}
