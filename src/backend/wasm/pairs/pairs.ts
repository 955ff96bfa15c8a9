import { check } from "../../../core/errors.ts";
import type { Key } from "../../../core/philox.ts";
import { pairCount } from "../../../graph/pair-index.ts";
import type { Backend, DrawnSigns, PairBuffers, PairDraw } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import { collectPairs, HISTOGRAM } from "../selection/selection.ts";

type Pairs = Pick<Backend, "samplePairs" | "resamplePairs" | "pairSigns" | "activeMatrix">;

/** As in `assembly/pairs/draw.ts`: strata up to this size are drawn from 32-bit words. */
const NARROW = 65_536n;

/** Active pairs are counted and scattered in so many parts, each of that many pairs at least. */
const MAX_PARTS = 4;
const PART = 4096;

/** Draws per chunk: so many that their pairs are still in the second cache of a core when their signs are looked up. */
const DRAW_GRAIN = 8192;

/** Chunks of what is kept or active: a small part of a block, which two threads should still share. */
const KEPT_GRAIN = 2048;

/** The pairs of an old block that stay, and the place of each among the pairs that do not. */
interface Kept {
  readonly count: number;
  /** shifted, sources, targets, weights: what `assembly/pairs/write-pairs.ts` reads. */
  readonly addresses: readonly [number, number, number, number];
}

const NOTHING_KEPT: Kept = { count: 0, addresses: [0, 0, 0, 0] };

/** Blocks of candidate pairs. */
export function pairs(engine: Engine): Pairs {
  return {
    samplePairs(pairs, draw, key, signs) {
      const { sources, targets } = engine.pairs("samplePairs", pairs);
      checkEnough("samplePairs", pairs);
      place(engine, pairs, [sources, targets, 0], 0, draw, key, NOTHING_KEPT, signs);
    },
    resamplePairs(next, nextWeights, pairs, weights, floor, draw, key, signs) {
      const { numNodes, directed, length } = pairs;
      check(
        next.length === length && next.numNodes === numNodes && next.directed === directed,
        () => `resamplePairs: next must be a block of ${length} pairs of the same graph, got ${next.length} pairs`,
      );
      checkEnough("resamplePairs", pairs);
      const from = engine.pairs("resamplePairs", pairs);
      const to = engine.pairs("resamplePairs", next);
      const weight = engine.floats("resamplePairs", "weights", weights, length);
      const out = [to.sources, to.targets, engine.floats("resamplePairs", "nextWeights", nextWeights, length)] as const;

      const block = { ...from, weights: weight, signs: 0, length };
      const kept = collectPairs(engine, block, floor, Math.floor(length / 2));
      const { count, sources, targets } = kept;
      engine.borrow("i32", 2 * count, (_, shifted) => {
        engine.run("keptRanks", count, KEPT_GRAIN, shifted, sources, targets, numNodes, Number(directed));
        const addresses = [shifted, sources, targets, kept.weights] as const;
        place(engine, next, out, floor, draw, key, { count, addresses }, signs);
      });
      engine.heap.free(kept.buffer);
    },
    pairSigns(out, pairs, S, turn = false) {
      const { sources, targets } = engine.pairs("pairSigns", pairs);
      const { rowPtr, colIdx } = engine.csr("pairSigns", S);
      const y = engine.floats("pairSigns", "out", out, pairs.length);
      engine.run("pairSigns", pairs.length, GRAIN, y, sources, targets, rowPtr, colIdx, Number(turn));
    },
    activeMatrix(pairs, signs, weights, floor) {
      const name = "activeMatrix";
      const { numNodes, directed, length } = pairs;
      const { sources, targets } = engine.pairs(name, pairs);
      const sign = engine.floats(name, "signs", signs, length);
      const weight = engine.floats(name, "weights", weights, length);
      const active = collectPairs(engine, { sources, targets, weights: weight, signs: sign, length }, floor);
      const { count } = active;
      const entries = count * (directed ? 1 : 2);
      const rowPtr = engine.heap.alloc("i32", numNodes + 1);
      const colIdx = engine.heap.alloc("i32", entries);
      const values = engine.heap.alloc("f32", entries);
      const parts = Math.min(Math.max(Math.floor(count / PART), 1), MAX_PARTS);
      engine.borrow("i32", 1 + parts * numNodes, (work, unsorted) => {
        const isUnsorted = engine.heap.values(work).subarray(0, 1);
        isUnsorted[0] = 0;
        const places = unsorted + 4;
        const listed = [places, numNodes, parts, count, Number(directed), active.sources, active.targets];
        engine.run("countEntries", parts, 1, ...listed, unsorted);
        engine.call("startEntries", rowPtr.address, places, numNodes, parts);
        engine.run("scatterEntries", parts, 1, colIdx.address, values.address, ...listed, active.weights);
        if (isUnsorted[0]) engine.run("sortRows", numNodes, 1024, rowPtr.address, colIdx.address, values.address);
      });
      engine.heap.free(active.buffer);
      return { numRows: numNodes, numCols: numNodes, rowPtr, colIdx, values };
    },
  };
}

/** Draws what is missing and writes the block in ascending order. */
function place(
  engine: Engine,
  { numNodes, directed, length }: PairBuffers,
  out: readonly [sources: number, targets: number, weights: number],
  floor: number,
  draw: PairDraw,
  key: Key,
  kept: Kept,
  signs?: DrawnSigns,
): void {
  const draws = length - kept.count;
  if (draws === 0) return;
  const range = pairCount(numNodes, directed) - BigInt(kept.count);
  const block = [...out, numNodes, Number(directed), draws];
  const behind = [floor, kept.count, ...kept.addresses, ...signAddresses(engine, length, signs)];
  const placeRanks = (ranks: number) => engine.run("placeRanks", draws, DRAW_GRAIN, ...block, ranks, ...behind);
  check(draw === "stratified" || draw === "uniform", () => `unknown draw "${draw}"; known are stratified, uniform`);
  if (draw === "uniform") {
    drawDistinct(engine, draws, range, key, placeRanks);
  } else if (range <= NARROW * BigInt(draws)) {
    engine.run("placeStrata", draws, DRAW_GRAIN, ...block, ...halves(range), key.lo, key.hi, ...behind);
  } else {
    engine.borrow("i32", 2 * draws, (_, ranks) => {
      engine.run("drawStrata", draws, GRAIN, ranks, draws, ...halves(range), key.lo, key.hi);
      placeRanks(ranks);
    });
  }
}

/** Where signs go, rowPtr and colIdx, or nothing. */
function signAddresses(engine: Engine, length: number, signs?: DrawnSigns): [number, number, number] {
  if (!signs) return [0, 0, 0];
  const { rowPtr, colIdx } = engine.csr("pairSigns", signs.S);
  return [engine.floats("pairSigns", "out", signs.out, length), rowPtr, colIdx];
}

/** Draws from the whole range until `count` numbers are distinct, and hands their sorted list to `use`. */
function drawDistinct(engine: Engine, count: number, range: bigint, key: Key, use: (ranks: number) => void): void {
  const bits = range.toString(2).length;
  engine.borrow("i32", 2 * count, (a) => {
    engine.borrow("i32", 2 * count, (b) => {
      engine.borrow("i32", 2 * count + HISTOGRAM, (_, fresh) => {
        let have = a.address;
        let spare = b.address;
        let found = 0;
        let drawn = 0;
        while (found < count) {
          const missing = count - found;
          engine.run("drawUniform", missing, GRAIN, fresh, drawn, ...halves(range), key.lo, key.hi);
          drawn += missing;
          const swapped = engine.call("sortWide", fresh, spare, missing, bits, fresh + 8 * count);
          if (swapped) engine.run("copy", 2 * missing, GRAIN, fresh, spare);
          found = engine.call("mergeDistinct", spare, have, found, fresh, missing);
          [have, spare] = [spare, have];
        }
        use(have);
      });
    });
  });
}

function halves(value: bigint): [lo: number, hi: number] {
  return [Number(value & 0xffff_ffffn), Number(value >> 32n)];
}

function checkEnough(kernel: string, { length, numNodes, directed }: PairBuffers): void {
  const count = pairCount(numNodes, directed);
  check(
    BigInt(length) <= count,
    () => `${kernel}: ${length} pairs wanted, but ${numNodes} nodes have only ${count}; lower the block size`,
  );
}
