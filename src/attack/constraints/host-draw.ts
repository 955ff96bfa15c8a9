import { type Flips, noFlips } from "../../graph/flips.ts";
import { type GraphView, keep, tensor } from "../../tensor/index.ts";
import { blockOfPairs, type CandidateBlock } from "../block.ts";
import { ascending } from "../choose-flips.ts";
import type { BlockDraw } from "./candidates.ts";
import type { Constraints } from "./constraints.ts";
import type { PairSpace } from "./pair-grid.ts";

/** Blocks of allowed pairs that are drawn on the host, where too few pairs of the graph are allowed to draw from all of them. */
export class HostDraw {
  private readonly view: GraphView;
  private readonly constraints: Constraints;
  private readonly space: PairSpace;
  private readonly given: BlockDraw;

  /** At least half of `space` is allowed, and more than a block. */
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

  /** A block of these pairs, in ascending order, and fresh ones. */
  private blockOf(kept: Flips, keptWeights: Float64Array): CandidateBlock {
    const { blockSize, floor } = this.given;
    const fresh = ascending(this.fresh(kept));
    const sources = new Int32Array(blockSize);
    const targets = new Int32Array(blockSize);
    const weights = new Float64Array(blockSize).fill(floor);
    let k = 0;
    let f = 0;
    for (let e = 0; e < blockSize; e++) {
      const takesKept = k < kept.sources.length && (f === fresh.sources.length || isBefore(kept, k, fresh, f));
      const from = takesKept ? kept : fresh;
      const place = takesKept ? k : f;
      if (takesKept) weights[e] = keptWeights[k++];
      else f++;
      sources[e] = from.sources[place];
      targets[e] = from.targets[place];
    }
    return blockOfPairs(this.view, { sources, targets }, keep(tensor(this.view.backend, weights, [blockSize])));
  }

  /** Enough pairs to fill the block, all allowed, none twice and none among those kept. */
  private fresh(kept: Flips): Flips {
    const { blockSize, draw, rng } = this.given;
    const { numNodes } = this.view;
    const { size } = this.space;
    const wanted = blockSize - kept.sources.length;
    const seen = new Set<number>();
    for (let k = 0; k < kept.sources.length; k++) seen.add(kept.sources[k] * numNodes + kept.targets[k]);
    const sources: number[] = [];
    const targets: number[] = [];
    const offer = (index: number) => {
      const [i, j] = this.space.at(index);
      const name = i * numNodes + j;
      if (seen.has(name) || !this.constraints.allows(i, j)) return;
      seen.add(name);
      sources.push(i);
      targets.push(j);
    };
    for (let t = 0; draw === "stratified" && t < wanted; t++) {
      const begin = Math.floor((t * size) / wanted);
      offer(begin + rng.integer(Math.floor(((t + 1) * size) / wanted) - begin));
    }
    while (sources.length < wanted) offer(rng.integer(size)); // in place of those that were passed over
    return { sources: Int32Array.from(sources), targets: Int32Array.from(targets) };
  }
}

/** Places of the weights above the floor, at most half of all, in ascending order. */
function heaviestHalf(weights: Float32Array | Float64Array, floor: number): Int32Array {
  const places: number[] = [];
  for (let e = 0; e < weights.length; e++) if (weights[e] > floor) places.push(e);
  const room = Math.floor(weights.length / 2);
  if (places.length > room) places.sort((a, b) => weights[b] - weights[a] || a - b);
  return Int32Array.from(places.slice(0, room)).sort();
}

function isBefore(a: Flips, k: number, b: Flips, l: number): boolean {
  return a.sources[k] < b.sources[l] || (a.sources[k] === b.sources[l] && a.targets[k] < b.targets[l]);
}
