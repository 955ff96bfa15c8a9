import type { Flips } from "../../../graph/flips.ts";
import { type CleanStack, rowFactor } from "./clean-stack.ts";

/** A change of the weight of one entry in a row. */
export interface ChangedEntry {
  readonly column: number;
  readonly delta: number;
}

const none: readonly ChangedEntry[] = [];

/** Weighted flips laid over the clean graph: changed entries by row, and the factors of the normalisation with them. */
export class EdgeChanges {
  /** What row u of Â·V is multiplied by. */
  readonly rowFactors: Float64Array;
  /** What row v of V is multiplied by before it is summed. */
  readonly columnFactors: Float64Array;
  readonly degrees: Float64Array;
  /** Nodes whose degree changed. */
  readonly rescaled: Set<number> = new Set();
  private readonly stack: CleanStack;
  private readonly entries = new Map<number, ChangedEntry[]>();

  constructor(stack: CleanStack) {
    this.stack = stack;
    this.degrees = stack.degrees.slice();
    this.rowFactors = this.degrees.map((degree) => rowFactor(stack, degree));
    this.columnFactors = stack.normalisation === "row" ? this.degrees.map(() => 1) : this.rowFactors;
  }

  /** Replaces the flips that are laid over the graph; `deltas` are what they add to the weight of each pair. */
  set({ sources, targets }: Flips, deltas: ArrayLike<number>): void {
    for (const node of this.rescaled) this.rescale(node, this.stack.degrees[node]);
    this.rescaled.clear();
    this.entries.clear();
    for (let k = 0; k < sources.length; k++) {
      this.change(sources[k], targets[k], deltas[k]);
      if (!this.stack.graph.directed) this.change(targets[k], sources[k], deltas[k]);
    }
    for (const node of this.rescaled) this.rescale(node, this.degrees[node]);
  }

  /** Rows with changed entries or another factor. */
  get rows(): Set<number> {
    return new Set([...this.entries.keys(), ...this.rescaled]);
  }

  /** Changed entries of a row. */
  of(row: number): readonly ChangedEntry[] {
    return this.entries.get(row) ?? none;
  }

  /** The factor of a column on the clean graph. */
  cleanColumnFactor(column: number): number {
    return this.stack.normalisation === "row" ? 1 : 1 / Math.sqrt(this.stack.degrees[column]);
  }

  private change(row: number, column: number, delta: number): void {
    const others = this.entries.get(row);
    if (others) others.push({ column, delta });
    else this.entries.set(row, [{ column, delta }]);
    const counted = this.stack.normalisation === "row" ? row : column;
    this.degrees[counted] += delta;
    this.rescaled.add(counted);
  }

  private rescale(node: number, degree: number): void {
    this.degrees[node] = degree;
    this.rowFactors[node] = rowFactor(this.stack, degree);
  }
}
