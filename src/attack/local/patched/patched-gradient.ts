import type { Flips } from "../../../graph/flips.ts";
import type { Values } from "../../../tensor/index.ts";
import type { PatchedPass } from "./patched-pass.ts";
import { addScaledRow, allocLike, dotRows } from "./row-arithmetic.ts";

/**
 * The gradient of one node's logits by the weights of pairs, at the graph of the last {@link PatchedPass}. With G the
 * gradient by Â·V of a layer, the gradient by entry (u, v) of the adjacency is r_u c_v Σ G_u·V_v over the layers, plus
 * the derivative of the normalisation through the degree that the entry counts for. G is 0 except in the rows that the
 * node's logits depend on.
 */
export class PatchedGradient {
  private readonly pass: PatchedPass;
  /** Per layer: a row for each needed row of the pass. */
  private readonly G: Values[];
  private readonly byRowFactor: Float64Array;
  private readonly byColumnFactor: Float64Array;
  /** Nodes at which the two arrays above may differ from 0. */
  private touched: number[] = [];

  constructor(pass: PatchedPass) {
    const { numNodes } = pass.stack.graph;
    this.pass = pass;
    this.G = pass.stack.layers.map(({ V }) => allocLike(V, 0));
    this.byRowFactor = new Float64Array(numNodes);
    this.byColumnFactor = new Float64Array(numNodes);
  }

  /**
   * The gradient by the weight of each pair, given the gradient by the logits. `isEnd` is 1 at every node that a pair
   * ends at.
   */
  async by({ sources, targets }: Flips, isEnd: Uint8Array, byLogits: ArrayLike<number>): Promise<Float64Array> {
    await this.goBack(byLogits, isEnd);
    const ways = this.pass.stack.graph.directed
      ? [[sources, targets]]
      : [
          [sources, targets],
          [targets, sources],
        ];
    const total = new Float64Array(sources.length);
    for (const [rows, columns] of ways) {
      for (let e = 0; e < total.length; e++) total[e] += this.byDegree(rows[e], columns[e]);
    }
    for (let l = 0; l < this.G.length; l++) await this.addProducts(total, l, ways);
    return total;
  }

  private async goBack(byLogits: ArrayLike<number>, isEnd: Uint8Array): Promise<void> {
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
      if (l > 0) this.G[l - 1] = await this.throughInput(l);
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

  /**
   * Goes back from the gradient by Â·V of a layer to that by V, and through the activation to that by Â·V of the layer
   * before.
   */
  private async throughInput(l: number): Promise<Values> {
    const { pass } = this;
    const { width, weight } = pass.stack.layers[l];
    const { rows } = pass.patches[l - 1];
    const byScaled = this.byScaledInput(l); // the gradient by c_v V_v
    for (const [place, row] of rows.entries()) {
      const [V, begin] = pass.input(l, row);
      this.byColumnFactor[row] += dotRows(byScaled, place * width, V, begin, width);
      const factor = pass.changes.columnFactors[row];
      for (let c = 0; c < width; c++) byScaled[place * width + c] *= factor;
    }
    const byH = weight ? await weight.timesTransposed(byScaled) : byScaled;
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

  /** Visits the columns of a row of Ã with their weights. One may come twice, with parts of its weight. */
  private eachEntry(row: number, visit: (column: number, weight: number) => void): void {
    const { rowPtr, colIdx } = this.pass.stack.graph.adjacency;
    for (let e = rowPtr[row]; e < rowPtr[row + 1]; e++) visit(colIdx[e], 1);
    visit(row, 1);
    for (const { column, delta } of this.pass.changes.of(row)) visit(column, delta);
  }

  /** Multiplies by the derivative of the activation, in place: 0 where relu cut a feature off. */
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

  /** For the first layer, whose V never changes: only at nodes that a pair ends at. */
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

  /** Adds r_u c_v G_u·V_v of one layer for both directions of the pairs: most of the work where there are many. */
  private async addProducts(total: Float64Array, l: number, ways: readonly (readonly Int32Array[])[]): Promise<void> {
    const { places } = this.pass.patches[l];
    const { rowFactors, columnFactors } = this.pass.changes;
    const used = entriesOf(ways, (row) => places[row] > 0);
    const first = used.rows.map((row) => places[row] - 1);
    const dots = await this.pass.stack.layers[l].dots.with(this.G[l], { first, second: used.columns });
    if (l > 0) this.replaceChanged(dots, l, first, used.columns);
    for (let t = 0; t < dots.length; t++) {
      total[used.pairs[t]] += rowFactors[used.rows[t]] * columnFactors[used.columns[t]] * dots[t];
    }
  }

  /** Computes products anew whose row of V differs from the clean graph. */
  private replaceChanged(dots: Values, l: number, first: Int32Array, columns: Int32Array): void {
    const { changedPlaces, outputs } = this.pass.patches[l - 1];
    const { width } = this.pass.stack.layers[l];
    for (let t = 0; t < dots.length; t++) {
      const place = changedPlaces[columns[t]];
      if (place > 0) dots[t] = dotRows(this.G[l], first[t] * width, outputs, (place - 1) * width, width);
    }
  }

  /** The gradient by entry (row, column) through the degree that it counts for. */
  private byDegree(row: number, column: number): number {
    const { changes, stack } = this.pass;
    if (stack.normalisation === "row") return -(changes.rowFactors[row] ** 2) * this.byRowFactor[row];
    const byFactor = this.byRowFactor[column] + this.byColumnFactor[column];
    return (-0.5 * changes.rowFactors[column] * byFactor) / changes.degrees[column];
  }
}

/** The entries of pairs for whose row `counts` is true, and the pair that each belongs to. */
function entriesOf(ways: readonly (readonly Int32Array[])[], counts: (row: number) => boolean) {
  const pairs: number[] = [];
  const rows: number[] = [];
  const columns: number[] = [];
  for (const [from, to] of ways) {
    for (let e = 0; e < from.length; e++) {
      if (!counts(from[e])) continue;
      pairs.push(e);
      rows.push(from[e]);
      columns.push(to[e]);
    }
  }
  return { pairs, rows: Int32Array.from(rows), columns: Int32Array.from(columns) };
}
