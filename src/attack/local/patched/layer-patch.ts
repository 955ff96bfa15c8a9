import type { Values } from "../../../tensor/index.ts";

/** The rows of one layer that the logits of a node depend on, and those of them that differ from the clean graph. */
export class LayerPatch {
  /** Nodes whose row is needed. */
  rows: number[] = [];
  /** By node: 1 + its place in `rows`, or 0. */
  readonly places: Int32Array;
  /** Nodes whose row differs. */
  changed: number[] = [];
  /** By node: 1 + its place in `changed`, or 0. */
  readonly changedPlaces: Int32Array;
  /** Σ_v Ã_uv c_v V_v of the rows that differ. */
  sums: Values = new Float64Array(0);
  /** What follows from these rows: their rows of V of the next layer. */
  outputs: Values = new Float64Array(0);

  constructor(numNodes: number) {
    this.places = new Int32Array(numNodes);
    this.changedPlaces = new Int32Array(numNodes);
  }

  /** Starts a new pass: nothing is needed yet. */
  clear(): void {
    this.change([]);
    for (const node of this.rows) this.places[node] = 0;
    this.rows = [];
  }

  /** Marks a row as needed; once is enough. */
  need(node: number): void {
    if (this.places[node] === 0) this.places[node] = this.rows.push(node);
  }

  /** Sets which rows differ. */
  change(changed: number[]): void {
    for (const node of this.changed) this.changedPlaces[node] = 0;
    this.changed = changed;
    for (const [place, node] of changed.entries()) this.changedPlaces[node] = place + 1;
  }
}
