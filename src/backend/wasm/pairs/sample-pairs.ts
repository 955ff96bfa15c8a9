import { check } from "../../../core/errors.ts";
import type { Key } from "../../../core/philox.ts";
import { pairCount } from "../../../graph/pair-index.ts";
import type { Backend, DrawnSigns, PairBuffers, PairDraw } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import { collectPairs } from "../selection/collect-pairs.ts";
import { drawDistinct } from "./draw-distinct.ts";
import { halves } from "./halves.ts";

/** As in `assembly/pairs/draw.ts`: strata up to this size are drawn from 32-bit words. */
const NARROW = 65_536n;

/** Draws per chunk: few enough that the second cache of a core holds their pairs until their signs are looked up. */
const DRAW_GRAIN = 8192;

/** Kept pairs per chunk: fewer, because they are a small part of a block and two threads should still share them. */
const KEPT_GRAIN = 2048;

/** The pairs of an old block that stay. */
interface KeptPairs {
  readonly count: number;
  /** Address of a 64-bit number per kept pair: how many pairs that are not kept come before it. */
  readonly ranks: number;
  /** Address of their lists, as `collectPairs` leaves them. */
  readonly list: number;
}

const NOTHING_KEPT: KeptPairs = { count: 0, ranks: 0, list: 0 };

/** A block to be written. */
interface NewBlock {
  readonly pairs: PairBuffers;
  /** Address of the weights, 0 if none are written; drawn pairs get the weight `floor`. */
  readonly weights: number;
  readonly floor: number;
  readonly draw: PairDraw;
  readonly key: Key;
  readonly kept: KeptPairs;
  readonly signs: DrawnSigns | undefined;
}

export function samplePairs(engine: Engine): Backend["samplePairs"] {
  return (pairs, draw, key, signs) => {
    engine.pairs("samplePairs", pairs); // checks lengths
    checkEnough("samplePairs", pairs);
    writeBlock(engine, { pairs, weights: 0, floor: 0, draw, key, kept: NOTHING_KEPT, signs });
  };
}

export function resamplePairs(engine: Engine): Backend["resamplePairs"] {
  return ({ next, nextWeights, pairs, weights, floor, draw, key, signs }) => {
    const name = "resamplePairs";
    const { numNodes, directed, length } = pairs;
    check(
      next.length === length && next.numNodes === numNodes && next.directed === directed,
      () => `${name}: next must be a block of ${length} pairs of the same graph, got ${next.length} pairs`,
    );
    checkEnough(name, pairs);
    const { sources, targets } = engine.pairs(name, pairs);
    engine.pairs(name, next); // checks lengths
    const from = { sources, targets, weights: engine.floats(name, "weights", weights, length), signs: 0, length };
    const to = engine.floats(name, "nextWeights", nextWeights, length);
    const { count, list } = collectPairs(engine, from, floor, Math.floor(length / 2));
    try {
      engine.borrow("i32", 2 * count, (_, ranks) => {
        engine.run("rankKeptPairs", count, KEPT_GRAIN, ranks, list.address, count, numNodes, Number(directed));
        const kept = { count, ranks, list: list.address };
        writeBlock(engine, { pairs: next, weights: to, floor, draw, key, kept, signs });
      });
    } finally {
      engine.heap.free(list);
    }
  };
}

/** Draws what is missing and writes the block in ascending order. */
function writeBlock(engine: Engine, { pairs, weights, floor, draw, key, kept, signs }: NewBlock): void {
  const { numNodes, directed, length } = pairs;
  const draws = length - kept.count;
  if (draws === 0) return;
  const { sources, targets } = engine.pairs("samplePairs", pairs);
  const range = pairCount(numNodes, directed) - BigInt(kept.count);
  const block = [sources, targets, weights, numNodes, Number(directed), draws];
  const rest = [floor, kept.count, kept.ranks, kept.list, ...signAddresses(engine, length, signs)];
  const writeRanked = (ranks: number) => {
    engine.run("writeRankedPairs", draws, DRAW_GRAIN, ...block, ranks, ...rest);
  };
  check(draw === "stratified" || draw === "uniform", () => `unknown draw "${draw}"; known are stratified, uniform`);
  if (draw === "uniform") {
    drawDistinct(engine, draws, range, key, writeRanked);
  } else if (range <= NARROW * BigInt(draws)) {
    engine.run("writeStratifiedPairs", draws, DRAW_GRAIN, ...block, ...halves(range), key.lo, key.hi, ...rest);
  } else {
    engine.borrow("i32", 2 * draws, (_, ranks) => {
      engine.run("drawRanks", draws, GRAIN, ranks, 0, draws, ...halves(range), key.lo, key.hi);
      writeRanked(ranks);
    });
  }
}

/** Addresses of the signs to write, of rowPtr and of colIdx; zeros if no signs are written. */
function signAddresses(engine: Engine, length: number, signs: DrawnSigns | undefined): number[] {
  if (!signs) return [0, 0, 0];
  const { rowPtr, colIdx } = engine.csr("pairSigns", signs.S);
  return [engine.floats("pairSigns", "out", signs.out, length), rowPtr, colIdx];
}

function checkEnough(kernel: string, { length, numNodes, directed }: PairBuffers): void {
  const count = pairCount(numNodes, directed);
  check(
    BigInt(length) <= count,
    () => `${kernel}: ${length} pairs wanted, but ${numNodes} nodes have only ${count}; lower the block size`,
  );
}
