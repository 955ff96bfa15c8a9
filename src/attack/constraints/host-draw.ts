import { type Flips, noFlips } from "../../graph/flips.ts";
import { type GraphView, keep, tensor } from "../../tensor/index.ts";
import { blockOfPairs, type CandidateBlock } from "../block.ts";
import { ascending } from "../choose-flips.ts";
import type { BlockDraw } from "./candidates.ts";
import type { Constraints } from "./constraints.ts";
import type { PairSpace } from "./pair-grid.ts";

/** Draws in a stratum before it is left empty. */
const TRIES = 8;

/** Blocks of allowed pairs that are drawn on the host, where too few pairs of the graph are allowed to draw from all of them. */
export class HostDraw {
  private readonly view: GraphView;
  private readonly constraints: Constraints;
  private readonly space: PairSpace;
  private readonly given: BlockDraw;

  /** `space` must have more allowed pairs than a block, and at least half of its pairs must be allowed. */
  constructor(view: GraphView, constraints: Constraints, space: PairSpace, given: BlockDraw) {
    this.view = view;
    this.constraints = constraints;
    this.space = space;
    this.given = given;
  }

  sample(): CandidateBlock {
    return this.blockOf(noFlips, new Float64Array(0));
  }

  /** Keeps the candidates above the floor, the heaviest half of the block at most, and draws the others anew. */
  async resample(block: CandidateBlock): Promise<CandidateBlock> {
    const { backend } = this.view;
    const { sources, targets } = block.pairs;
    const reading = [backend.read(sources), backend.read(targets)] as Promise<Int32Array>[];
    const weights = await block.weights.read();
    const [i, j] = await Promise.all(reading);
    const places = heaviestHalf(weights, Math.fround(this.given.floor));
    const kept = { sources: places.map((e) => i[e]), targets: places.map((e) => j[e]) };
    return this.blockOf(
      kept,
      Float64Array.from(places, (e) => weights[e]),
    );
  }

  /** A block of the pairs `kept` and fresh ones, in ascending order. */
  private blockOf(kept: Flips, keptWeights: Float64Array): CandidateBlock {
    const { blockSize, floor } = this.given;
    const fresh = this.fresh(kept);
    const sources = new Int32Array(blockSize);
    const targets = new Int32Array(blockSize);
    const weights = new Float64Array(blockSize).fill(floor);
    for (let e = 0, k = 0, f = 0; e < blockSize; e++) {
      if (f === fresh.sources.length || (k < keptWeights.length && isBefore(kept, k, fresh, f))) {
        sources[e] = kept.sources[k];
        targets[e] = kept.targets[k];
        weights[e] = keptWeights[k++];
      } else {
        sources[e] = fresh.sources[f];
        targets[e] = fresh.targets[f++];
      }
    }
    return blockOfPairs(this.view, { sources, targets }, keep(tensor(this.view.backend, weights, [blockSize])));
  }

  /** Enough pairs to fill the block, in ascending order, all allowed, none twice and none among those kept. */
  private fresh(kept: Flips): Flips {
    const { blockSize, draw } = this.given;
    const drawn = new DrawnPairs(this.view.numNodes, this.constraints, kept);
    const wanted = blockSize - kept.sources.length;
    if (draw === "stratified") this.drawStrata(drawn, wanted);
    if (drawn.size < wanted) this.drawAnywhere(drawn, wanted);
    return drawn.toFlips();
  }

  /** One pair from each stratum; strata are disjoint and in order. A stratum in which no draw succeeds stays empty. */
  private drawStrata(drawn: DrawnPairs, wanted: number): void {
    const { size } = this.space;
    const { rng } = this.given;
    for (let t = 0; t < wanted; t++) {
      const begin = Math.floor((t * size) / wanted);
      const width = Math.floor(((t + 1) * size) / wanted) - begin;
      for (let tries = 0; tries < TRIES; tries++) if (drawn.append(this.space.at(begin + rng.integer(width)))) break;
    }
  }

  private drawAnywhere(drawn: DrawnPairs, wanted: number): void {
    const { rng } = this.given;
    drawn.rememberAll();
    while (drawn.size < wanted) drawn.append(this.space.at(rng.integer(this.space.size)));
  }
}

/** Pairs that are drawn one by one, all of them allowed. */
class DrawnPairs {
  private readonly numNodes: number;
  private readonly constraints: Constraints;
  private readonly sources: number[] = [];
  private readonly targets: number[] = [];
  /** Numbers of pairs that could be drawn again and must not be. */
  private readonly taken = new Set<number>();
  private remembersAll = false;

  constructor(numNodes: number, constraints: Constraints, kept: Flips) {
    this.numNodes = numNodes;
    this.constraints = constraints;
    for (let k = 0; k < kept.sources.length; k++) this.taken.add(this.numberOf(kept.sources[k], kept.targets[k]));
  }

  get size(): number {
    return this.sources.length;
  }

  /** To be called before pairs that were drawn already may be drawn again: remembers all of them. */
  rememberAll(): void {
    this.remembersAll = true;
    for (const [k, source] of this.sources.entries()) this.taken.add(this.numberOf(source, this.targets[k]));
  }

  /** Takes a pair, unless it is not allowed or taken; says whether it did. */
  append([i, j]: readonly [number, number]): boolean {
    const number = this.numberOf(i, j);
    if (this.taken.has(number) || !this.constraints.allows(i, j)) return false;
    if (this.remembersAll) this.taken.add(number);
    this.sources.push(i);
    this.targets.push(j);
    return true;
  }

  /** In ascending order. */
  toFlips(): Flips {
    const flips = { sources: Int32Array.from(this.sources), targets: Int32Array.from(this.targets) };
    return this.remembersAll ? ascending(flips) : flips;
  }

  /** Exact up to 94 million nodes; beyond, a pair may be mistaken for another and skipped. */
  private numberOf(i: number, j: number): number {
    return i * this.numNodes + j;
  }
}

/**
 * Places of the weights above the floor, in ascending order. If these are more than half of all, only the heaviest
 * half, the first on ties.
 */
function heaviestHalf(weights: Float32Array | Float64Array, floor: number): Int32Array {
  const room = Math.floor(weights.length / 2);
  const inUse = weights.filter((weight) => weight > floor).sort();
  const least = inUse.length > room ? inUse[inUse.length - room] : floor;
  let ties = room - inUse.filter((weight) => weight > least).length;
  const places: number[] = [];
  for (let e = 0; e < weights.length; e++) {
    if (weights[e] > least || (weights[e] === least && least > floor && ties-- > 0)) places.push(e);
  }
  return Int32Array.from(places);
}

function isBefore(a: Flips, k: number, b: Flips, l: number): boolean {
  return a.sources[k] < b.sources[l] || (a.sources[k] === b.sources[l] && a.targets[k] < b.targets[l]);
}
