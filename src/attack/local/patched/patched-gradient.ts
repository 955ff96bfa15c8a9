import type { Flips } from "../../../graph/flips.ts";
import type { Values } from "../../../tensor/index.ts";
import type { PatchedPass } from "./patched-pass.ts";
import { addScaledRow, allocLike, dotRows, rowsTimesTransposed } from "./row-arithmetic.ts";

/**
 * The gradient of one node's logits by the weights of pairs, at the graph of the last {@link PatchedPass}. With G the gradient by Â·V of
 * a layer, the entry (u, v) of the adjacency has r_u c_v Σ G_u·V_v over the layers, and the derivative of the normalisation
 * through the degree it counts for. G is 0 but for the rows that the node's logits depend on.
 */
export class PatchedGradient {
  private readonly pass: PatchedPass;
  /** Per layer: a row for each needed row of the pass. */
  private readonly G: Values[];
  private readonly byRowFactor: Float64Array;
  private readonly byColumnFactor: Float64Array;
  /** In the first layer no input changes. */
  private readonly noPlaces: Int32Array;
  /** Nodes that the two above are not 0 at. */
  private touched: number[] = [];

  constructor(pass: PatchedPass) {
    const { numNodes } = pass.stack.graph;
    this.pass = pass;
    this.G = pass.stack.layers.map(({ V }) => allocLike(V, 0));
    this.byRowFactor = new Float64Array(numNodes);
    this.byColumnFactor = new Float64Array(numNodes);
    this.noPlaces = new Int32Array(numNodes);
  }

  /** By the weight of each pair, given the gradient by the logits. `isEnd` is 1 at every node that a pair ends at. */
  by({ sources, targets }: Flips, isEnd: Uint8Array, byLogits: ArrayLike<number>): Float64Array {
    this.goBack(byLogits, isEnd);
    const total = new Float64Array(sources.length);
    this.addEntries(total, sources, targets);
    if (!this.pass.stack.graph.directed) this.addEntries(total, targets, sources);
    return total;
  }

  private goBack(byLogits: ArrayLike<number>, isEnd: Uint8Array): void {
    for (const node of this.touched) {
      this.byRowFactor[node] = 0;
      this.byColumnFactor[node] = 0;
    }
    this.touched = [];
    const { layers, normalisation } = this.pass.stack;
    const last = layers.length - 1;
    const { scale } = layers[last];
    const G = allocLike(layers[last].V, byLogits.length);
    for (let c = 0; c < G.length; c++) G[c] = byLogits[c] * (scale ? scale[c] : 1);
    this.G[last] = G;
    for (let l = last; l >= 0; l--) {
      this.addRowFactors(l);
      if (l > 0) this.G[l - 1] = this.throughInput(l);
      else if (normalisation === "symmetric") this.addColumnFactors(isEnd);
    }
  }

  private addRowFactors(l: number): void {
    const { width } = this.pass.stack.layers[l];
    for (const [place, row] of this.pass.patches[l].rows.entries()) {
      const [sums, begin] = this.pass.sum(l, row);
      this.byRowFactor[row] += dotRows(this.G[l], place * width, sums, begin, width);
      this.touched.push(row);
    }
  }

  /** From Â·V of a layer to V, and through the activation before it to Â·V of the layer before. */
  private throughInput(l: number): Values {
    const { pass } = this;
    const { width, weight, inputs } = pass.stack.layers[l];
    const { rows } = pass.patches[l - 1];
    const byScaled = this.byScaledInput(l); // by c_v V_v
    for (const [place, row] of rows.entries()) {
      const [V, begin] = pass.input(l, row);
      this.byColumnFactor[row] += dotRows(byScaled, place * width, V, begin, width);
      const factor = pass.changes.columnFactors[row];
      for (let c = 0; c < width; c++) byScaled[place * width + c] *= factor;
    }
    const byH = weight ? rowsTimesTransposed(byScaled, width, weight, inputs) : byScaled;
    this.throughActivation(l - 1, byH);
    return byH;
  }

  /** Σ_u Ã_uv r_u G_u for each row v that the layer before provides. */
  private byScaledInput(l: number): Values {
    const { patches, changes } = this.pass;
    const { width } = this.pass.stack.layers[l];
    const { places, rows } = patches[l - 1];
    const total = allocLike(this.G[l], rows.length * width);
    for (const [place, row] of patches[l].rows.entries()) {
      const factor = changes.rowFactors[row];
      const from = [this.G[l], place * width] as const;
      this.eachEntry(row, (column, weight) =>
        addScaledRow([total, (places[column] - 1) * width], factor * weight, from, width),
      );
    }
    return total;
  }

  /** Columns of a row of Ã with their weights; one may come twice, with parts of its weight. */
  private eachEntry(row: number, visit: (column: number, weight: number) => void): void {
    const { rowPtr, colIdx } = this.pass.stack.graph.adjacency;
    for (let e = rowPtr[row]; e < rowPtr[row + 1]; e++) visit(colIdx[e], 1);
    visit(row, 1);
    for (const { column, delta } of this.pass.changes.of(row)) visit(column, delta);
  }

  /** In place: where relu cut a feature off nothing comes through. */
  private throughActivation(l: number, byH: Values): void {
    const { pass } = this;
    const { width, scale, shift, relu } = pass.stack.layers[l];
    for (const [place, row] of pass.patches[l].rows.entries()) {
      const [sums, begin] = pass.sum(l, row);
      const factor = pass.changes.rowFactors[row];
      for (let c = 0; c < width; c++) {
        const slope = scale ? scale[c] : 1;
        const isCut = relu && factor * sums[begin + c] * slope + (shift ? shift[c] : 0) <= 0;
        byH[place * width + c] *= isCut ? 0 : slope;
      }
    }
  }

  /** In the first layer, where V never changes: only what the pairs need. */
  private addColumnFactors(isEnd: Uint8Array): void {
    const { patches, changes, stack } = this.pass;
    const { width, V } = stack.layers[0];
    for (const [place, row] of patches[0].rows.entries()) {
      const factor = changes.rowFactors[row];
      this.eachEntry(row, (column, weight) => {
        if (!isEnd[column]) return;
        this.byColumnFactor[column] += factor * weight * dotRows(this.G[0], place * width, V, column * width, width);
        this.touched.push(column);
      });
    }
  }

  /** Adds the gradient of the entries (rows_e, columns_e). */
  private addEntries(total: Float64Array, rows: Int32Array, columns: Int32Array): void {
    for (let e = 0; e < total.length; e++) total[e] += this.byDegree(rows[e], columns[e]);
    for (let l = 0; l < this.G.length; l++) this.addProducts(total, l, rows, columns);
  }

  /** Adds r_u c_v G_u·V_v of one layer: most of the work where there are many pairs. */
  private addProducts(total: Float64Array, l: number, rows: Int32Array, columns: Int32Array): void {
    const { places } = this.pass.patches[l];
    const { rowFactors, columnFactors } = this.pass.changes;
    const { V, width } = this.pass.stack.layers[l];
    const before = this.pass.patches.at(l - 1)!;
    const changedPlaces = l === 0 ? this.noPlaces : before.changedPlaces;
    const G = this.G[l];
    for (let e = 0; e < total.length; e++) {
      const place = places[rows[e]];
      if (place === 0) continue;
      const column = columns[e];
      const changed = changedPlaces[column];
      const product =
        changed === 0
          ? dotRows(G, (place - 1) * width, V, column * width, width)
          : dotRows(G, (place - 1) * width, before.outputs, (changed - 1) * width, width);
      total[e] += rowFactors[rows[e]] * columnFactors[column] * product;
    }
  }

  /** Through the degree that entry (row, column) counts for. */
  private byDegree(row: number, column: number): number {
    const { changes, stack } = this.pass;
    if (stack.normalisation === "row") return -(changes.rowFactors[row] ** 2) * this.byRowFactor[row];
    const byFactor = this.byRowFactor[column] + this.byColumnFactor[column];
    return (-0.5 * changes.rowFactors[column] * byFactor) / changes.degrees[column];
  }
}
