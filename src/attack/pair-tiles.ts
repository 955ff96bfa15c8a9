import type { Buffer, PairBuffers } from "../backend/backend.ts";
import { check, MemoryError } from "../core/errors.ts";
import { wholeNumber } from "../core/options/index.ts";
import { hasEntry } from "../graph/csr.ts";
import type { Flips } from "../graph/flips.ts";
import { type GraphView, hostGraph } from "../tensor/index.ts";
import { numPairs } from "./budget.ts";
import type { Allowance } from "./constraints/allowance.ts";
import type { Constraints } from "./constraints/constraints.ts";
import { SignMask } from "./constraints/sign-mask.ts";

/** Views of a buffer begin at multiples of this many elements: GPUs want multiples of 256 bytes. */
const VIEW = 64;

/** By default large enough to keep all threads busy and small beside the memory of a machine. */
export const tileSizeOption = wholeNumber({
  from: VIEW,
  multipleOf: VIEW,
  default: 1 << 22,
  help: "pairs whose gradient is evaluated together; memory grows with it",
});

/** A run of pairs in row-major order: those with index `begin` … `begin + pairs.length − 1`. */
export interface PairTile {
  readonly begin: number;
  readonly pairs: PairBuffers;
  /** −1 where the clean graph has the edge, +1 elsewhere, 0 for pairs that are excluded or may not be flipped. */
  readonly signs: Buffer;
}

/**
 * All node pairs of a graph in row-major order, a tile at a time. If all pairs fit into one tile, it is written once
 * and kept; otherwise each tile is written anew when it is visited.
 */
export class PairTiles {
  readonly count: number;
  private readonly view: GraphView;
  private readonly sources: Int32Array;
  private readonly targets: Int32Array;
  private readonly pairs: PairBuffers;
  private readonly signs: Buffer;
  private readonly excluded = new Set<number>();
  private readonly tileSize: number;
  private readonly mask: SignMask | null;
  private holdsAll = false;

  constructor(name: string, view: GraphView, tileSize = tileSizeOption.default, constraints?: Constraints) {
    const { backend, numNodes, directed } = view;
    this.count = numPairs(view);
    check(
      this.count <= 2 ** 29,
      () =>
        `${name}: ${numNodes} nodes have ${this.count.toExponential(1)} pairs, all of which this attack looks at in every step; use prbcd or grbcd`,
      MemoryError,
    );
    this.view = view;
    this.tileSize = tileSize;
    this.mask = constraints ? new SignMask(view, constraints) : null;
    const length = Math.min(tileSize, this.count);
    this.sources = new Int32Array(length);
    this.targets = new Int32Array(length);
    const sources = backend.alloc("i32", length);
    const targets = backend.alloc("i32", length);
    this.pairs = { numNodes, directed, length, sources, targets };
    this.signs = backend.alloc("f32", length);
  }

  *[Symbol.iterator](): Generator<PairTile> {
    const walk = new PairWalk(this.view.numNodes, this.view.directed);
    for (let begin = 0; begin < this.count; begin += this.tileSize) {
      const length = Math.min(this.tileSize, this.count - begin);
      if (!this.holdsAll) this.fill(walk, begin, length);
      yield { begin, pairs: { ...this.pairs, length }, signs: this.signs };
    }
  }

  /** From now on the sign of the pair with this index is 0. */
  exclude(index: number): void {
    this.excluded.add(index);
    if (this.holdsAll) this.rewriteSigns(0, index, this.count);
  }

  /**
   * The same where there are constraints: from now on the sign is 0 for all `flips`, and for all pairs at nodes that
   * have no room left.
   */
  excludeAll(flips: Flips, allowance: Allowance): void {
    this.mask?.narrow(flips, allowance);
    if (this.holdsAll) this.writeSigns(this.pairs);
  }

  dispose(): void {
    this.mask?.dispose();
    this.view.backend.free(this.pairs.sources);
    this.view.backend.free(this.pairs.targets);
    this.view.backend.free(this.signs);
  }

  private fill(walk: PairWalk, begin: number, length: number): void {
    const { backend } = this.view;
    for (let e = 0; e < length; e++) {
      this.sources[e] = walk.source;
      this.targets[e] = walk.target;
      walk.next();
    }
    backend.write(this.pairs.sources, this.sources.subarray(0, length));
    backend.write(this.pairs.targets, this.targets.subarray(0, length));
    this.writeSigns({ ...this.pairs, length });
    for (const index of this.excluded) {
      if (index >= begin && index < begin + length) this.rewriteSigns(begin, index, length);
    }
    this.holdsAll = length === this.count;
  }

  private writeSigns(pairs: PairBuffers): void {
    const { backend, adjacency } = this.view;
    backend.pairSigns(this.signs, pairs, adjacency.buffers);
    this.mask?.apply(this.signs, pairs);
  }

  /**
   * Computes the signs of the {@link VIEW} pairs around pair `index` on the host, and writes them into the current
   * tile.
   */
  private rewriteSigns(begin: number, index: number, length: number): void {
    const { backend } = this.view;
    const { adjacency } = hostGraph(this.view, "fgsm");
    const place = index - begin;
    const first = place - (place % VIEW);
    const signs = Float32Array.from({ length: Math.min(VIEW, length - first) }, (_, e) => {
      if (this.excluded.has(begin + first + e)) return 0;
      return hasEntry(adjacency, this.sources[first + e], this.targets[first + e]) ? -1 : 1;
    });
    backend.write(backend.view(this.signs, first, signs.length), signs);
  }
}

/** Steps through all pairs in row-major order. */
class PairWalk {
  source = 0;
  target: number;
  private readonly numNodes: number;
  private readonly directed: boolean;

  constructor(numNodes: number, directed: boolean) {
    this.numNodes = numNodes;
    this.directed = directed;
    this.target = 1;
  }

  next(): void {
    this.target++;
    if (this.directed && this.target === this.source) this.target++;
    if (this.target < this.numNodes) return;
    this.source++;
    this.target = this.directed ? 0 : this.source + 1;
  }
}

/** The pairs with these numbers, counted in row-major order. The numbers must ascend. */
export function pairsNumbered(
  { numNodes, directed }: Pick<GraphView, "numNodes" | "directed">,
  numbers: ArrayLike<number>,
): Flips {
  const sources = new Int32Array(numbers.length);
  const targets = new Int32Array(numbers.length);
  const lengthOf = (row: number) => (directed ? numNodes - 1 : numNodes - 1 - row);
  let row = 0;
  let begin = 0; // number of the row's first pair
  for (let k = 0; k < numbers.length; k++) {
    while (numbers[k] >= begin + lengthOf(row)) begin += lengthOf(row++);
    const place = numbers[k] - begin;
    sources[k] = row;
    targets[k] = directed ? (place < row ? place : place + 1) : row + 1 + place;
  }
  return { sources, targets };
}
