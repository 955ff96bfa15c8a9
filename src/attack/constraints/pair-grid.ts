/** Distinct pairs of nodes, numbered from 0 in ascending order. */
export interface PairSpace {
  readonly size: number;
  /** Cheapest when asked in ascending order. */
  at(index: number): readonly [number, number];
}

/**
 * All pairs with one end in each of two sets of nodes, which may overlap, each pair once: undirected ones with the smaller node
 * first, directed ones either way. Memory grows with the nodes, not with the pairs.
 */
export class PairGrid implements PairSpace {
  readonly size: number;
  private readonly directed: boolean;
  private readonly first: Int32Array;
  private readonly second: Int32Array;
  private readonly either: Int32Array;
  private readonly sides: Uint8Array;
  /** Pairs before each row, a row for each node of either set. */
  private readonly offsets: Float64Array;
  /** The row in which a pair was found last. */
  private row = 0;

  /** `sides`: for each node, bit 0 if it is in the first set, bit 1 if it is in the second. */
  constructor(sides: Uint8Array, directed: boolean) {
    this.sides = sides;
    this.directed = directed;
    this.first = nodesWith(sides, (side) => (side & 1) !== 0);
    this.second = nodesWith(sides, (side) => (side & 2) !== 0);
    this.either = nodesWith(sides, (side) => side !== 0);
    this.offsets = new Float64Array(this.either.length + 1);
    for (const [row, node] of this.either.entries()) this.offsets[row + 1] = this.offsets[row] + this.rowLength(node);
    this.size = this.offsets[this.either.length];
  }

  at(index: number): readonly [number, number] {
    const row = this.rowOf(index);
    const node = this.either[row];
    const columns = this.columnsOf(node);
    const place = index - this.offsets[row];
    if (!this.directed) return [node, columns[countBelow(columns, node + 1) + place]];
    const own = countBelow(columns, node); // where the node itself is, or would be
    return [node, columns[place < own || columns[own] !== node ? place : place + 1]];
  }

  /** The nodes that `node` can form a pair with, in ascending order; may include `node` itself. */
  private columnsOf(node: number): Int32Array {
    const side = this.sides[node];
    if (side === 3) return this.either;
    return side === 1 ? this.second : this.first;
  }

  private rowLength(node: number): number {
    const columns = this.columnsOf(node);
    if (!this.directed) return columns.length - countBelow(columns, node + 1);
    return columns.length - (columns[countBelow(columns, node)] === node ? 1 : 0);
  }

  /**
   * The row of a pair: the row of the last call or the next one if it is there, else by binary search. Empty rows end
   * where they begin.
   */
  private rowOf(index: number): number {
    const { offsets, row } = this;
    const isIn = (other: number) => offsets[other] <= index && index < offsets[other + 1];
    if (!isIn(row))
      this.row = row + 1 < this.either.length && isIn(row + 1) ? row + 1 : countBelow(offsets, index + 1) - 1;
    return this.row;
  }
}

function nodesWith(sides: Uint8Array, test: (side: number) => boolean): Int32Array {
  const nodes: number[] = [];
  for (const [node, side] of sides.entries()) if (test(side)) nodes.push(node);
  return Int32Array.from(nodes);
}

/** How many of these ascending numbers are below `bound`. */
function countBelow(numbers: Int32Array | Float64Array, bound: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
