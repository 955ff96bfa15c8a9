import { check, lookup } from "../../core/errors.ts";
import { type Key, philox } from "../../core/philox.ts";
import { pairAt, pairCount, pairIndex } from "../../graph/pair-index.ts";
import type { DrawnSigns, PairBuffers, PairDraw, ResamplePairsArguments } from "../backend.ts";
import { pairArrays, pairSigns } from "./pairs.ts";
import { floats } from "./storage.ts";
import { descending } from "./top-k.ts";

/** Ranges up to this size are drawn with 32-bit words: probabilities are off by at most 1/65536 of themselves. */
const NARROW = 65_536n;

/** A whole new block of distinct pairs, ascending. */
export function samplePairs(pairs: PairBuffers, draw: PairDraw, key: Key, signs?: DrawnSigns): void {
  const { numNodes, directed, length } = pairs;
  const { sources, targets } = pairArrays("samplePairs", pairs);
  const count = pairCount(numNodes, directed);
  checkEnough("samplePairs", length, count, numNodes);
  lookup(DRAWS, draw, "draw")(count, length, key).forEach((index, e) => {
    [sources[e], targets[e]] = pairAt(numNodes, directed, index);
  });
  if (signs) pairSigns(signs.out, pairs, signs.S);
}

/** Keeps the largest pairs above the floor and draws the others anew from all pairs that are not kept. */
export function resamplePairs({
  next,
  nextWeights,
  pairs,
  weights,
  floor,
  draw,
  key,
  signs,
}: ResamplePairsArguments): void {
  const { numNodes, directed, length } = pairs;
  check(
    next.length === length && next.numNodes === numNodes && next.directed === directed,
    () => `resamplePairs: next must be a block of ${length} pairs of the same graph, got ${next.length} pairs`,
  );
  const count = pairCount(numNodes, directed);
  checkEnough("resamplePairs", length, count, numNodes);
  const from = pairArrays("resamplePairs", pairs);
  const to = pairArrays("resamplePairs", next);
  const weight = floats("resamplePairs", "weights", weights, length).subarray(0, length);
  const nextWeight = floats("resamplePairs", "nextWeights", nextWeights, length);

  const kept = survivors(weight, floor).map((e) => ({
    index: pairIndex(numNodes, directed, from.sources[e], from.targets[e]),
    weight: weight[e],
  }));
  const ranks = lookup(DRAWS, draw, "draw")(count - BigInt(kept.length), length - kept.length, key);
  mergeSkipping(kept, ranks, floor).forEach((entry, e) => {
    [to.sources[e], to.targets[e]] = pairAt(numNodes, directed, entry.index);
    nextWeight[e] = entry.weight;
  });
  if (signs) pairSigns(signs.out, next, signs.S);
}

interface Weighted {
  readonly index: bigint;
  readonly weight: number;
}

/** Positions of the entries to keep, ascending: those above the floor, at most half of the block, the largest first. */
function survivors(weight: Float64Array, floor: number): number[] {
  const largest = descending(weight).subarray(0, Math.floor(weight.length / 2));
  return [...largest].filter((e) => weight[e] > floor).sort((a, b) => a - b);
}

/** Merges kept and drawn pairs, ascending. Rank r is the r-th pair that is not kept: index r + kept pairs before it. */
function mergeSkipping(kept: Weighted[], ranks: bigint[], floor: number): Weighted[] {
  const merged: Weighted[] = [];
  let passed = 0;
  for (const rank of ranks) {
    while (passed < kept.length && kept[passed].index <= rank + BigInt(passed)) merged.push(kept[passed++]);
    merged.push({ index: rank + BigInt(passed), weight: floor });
  }
  return [...merged, ...kept.slice(passed)];
}

/** How to draw `length` distinct numbers below `count`, ascending. */
const DRAWS: Record<PairDraw, (count: bigint, length: number, key: Key) => bigint[]> = { stratified, uniform };

/** One number per stratum; strata differ in size by at most one, the larger first. */
function stratified(count: bigint, length: number, key: Key): bigint[] {
  if (length === 0) return [];
  const base = count / BigInt(length);
  const larger = count % BigInt(length);
  return Array.from({ length }, (_, t) => {
    const T = BigInt(t);
    if (T < larger) return T * (base + 1n) + drawBelow(base + 1n, t, key);
    return larger + T * base + drawBelow(base, t, key);
  });
}

/** Draws from the whole range until `length` numbers are distinct. */
function uniform(count: bigint, length: number, key: Key): bigint[] {
  const drawn = new Set<bigint>();
  for (let t = 0; drawn.size < length; t++) drawn.add(drawBelow(count, t, key));
  return [...drawn].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

const words = new Uint32Array(4);

/** Draw t from 0 … width − 1: the upper half of the product with a word of 32 bits, or of 64 where the range is wide. */
function drawBelow(width: bigint, t: number, key: Key): bigint {
  if (width <= NARROW) {
    philox(words, key, Math.floor(t / 4) % 2 ** 32, Math.floor(t / 2 ** 34));
    return (BigInt(words[t % 4]) * width) >> 32n;
  }
  philox(words, key, t % 2 ** 32, Math.floor(t / 2 ** 32));
  return (((BigInt(words[1]) << 32n) | BigInt(words[0])) * width) >> 64n;
}

function checkEnough(kernel: string, length: number, count: bigint, numNodes: number): void {
  check(
    BigInt(length) <= count,
    () => `${kernel}: ${length} pairs wanted, but ${numNodes} nodes have only ${count}; lower the block size`,
  );
}
