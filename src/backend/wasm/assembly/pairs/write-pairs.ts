// Writes blocks of pairs in ascending order. A draw is a rank among the pairs that are not kept. So draw d, if c kept
// pairs come before it, has index rank + c and place d + c.

import { firstAbove } from "../selection/sort-wide";
import { scratch } from "../shared/scratch";
import { narrowStrata, stratified, stratumStart } from "./draw";
import { fromHalves, rowOf, rowStart } from "./pair-index";
import { listedTargets, listedWeights } from "./pair-lists";
import { sortedSigns } from "./pair-signs";

/** Draws whose ranks a thread computes at once. */
const BATCH: i32 = 1024;
/** Following rows that are tried one by one before the row of a pair is computed by {@link rowOf}. */
const STEPS: i32 = 8;

/** Rank, minus `origin`, of the first pair behind kept pair c that is not kept; the maximum if there is no pair c. */
function nextKept(c: i32, numKept: i32, keptRanks: usize, origin: u64): u32 {
  if (c === numKept) return u32.MAX_VALUE;
  const rank = load<u64>(keptRanks + ((<usize>c) << 3));
  return rank > origin ? <u32>min<u64>(rank - origin, u32.MAX_VALUE) : 0;
}

/** Copies kept pair c to its place in the block. */
function copyKept(place: i32, c: i32, sources: usize, targets: usize, weights: usize, kept: usize, numKept: i32): void {
  const from = (<usize>c) << 2;
  const to = (<usize>place) << 2;
  store<u32>(sources + to, load<u32>(kept + from));
  store<u32>(targets + to, load<u32>(listedTargets(kept, numKept) + from));
  store<f32>(weights + to, load<f32>(listedWeights(kept, numKept) + from));
}

/** keptRanks_t = (index of kept pair t) − t: how many pairs that are not kept come before it. */
export function rankKeptPairs(
  begin: i32,
  end: i32,
  keptRanks: usize,
  kept: usize,
  numKept: i32,
  n: u32,
  directed: i32,
): void {
  const targets = listedTargets(kept, numKept);
  for (let t = begin; t < end; t++) {
    const at = (<usize>t) << 2;
    const i = <u64>load<u32>(kept + at);
    const j = <u64>load<u32>(targets + at);
    const place = directed ? j - u64(j > i) : j - i - 1;
    store<u64>(keptRanks + ((<usize>t) << 3), rowStart(n, directed, i) + place - <u64>t);
  }
}

/** Writes draws begin … end − 1, whose ranks are listed, with the kept pairs among them, and their signs unless `signs` is 0. */
export function writeRankedPairs(
  begin: i32,
  end: i32,
  sources: usize,
  targets: usize,
  weights: usize,
  n: u32,
  directed: i32,
  draws: i32,
  ranks: usize,
  floor: f32,
  numKept: i32,
  keptRanks: usize,
  kept: usize,
  signs: usize,
  rowPtr: usize,
  colIdx: usize,
): void {
  let c = begin > 0 ? firstAbove(keptRanks, numKept, load<u64>(ranks + ((<usize>(begin - 1)) << 3))) : 0;
  const firstPlace = begin + c;
  let i: u64 = 0;
  let start: u64 = 0;
  let stop: u64 = 0; // an empty row, so that the first draw computes its own
  for (let d = begin; d < end; d++) {
    const rank = load<u64>(ranks + ((<usize>d) << 3));
    for (; c < numKept && load<u64>(keptRanks + ((<usize>c) << 3)) <= rank; c++) {
      copyKept(c + d, c, sources, targets, weights, kept, numKept);
    }
    const index = rank + <u64>c;
    for (let steps = 0; index >= stop; steps++) {
      i = steps < STEPS && stop > 0 ? i + 1 : rowOf(n, directed, index);
      start = rowStart(n, directed, i);
      stop = rowStart(n, directed, i + 1);
    }
    const place = <u32>(index - start);
    const at = (<usize>(d + c)) << 2;
    store<u32>(sources + at, <u32>i);
    store<u32>(targets + at, directed ? place + u32(place >= <u32>i) : <u32>i + 1 + place);
    if (weights) store<f32>(weights + at, floor);
  }
  if (end === draws) {
    for (; c < numKept; c++) copyKept(c + end, c, sources, targets, weights, kept, numKept);
  }
  if (signs) sortedSigns(firstPlace, end + c, signs, sources, targets, rowPtr, colIdx);
}

/**
 * The same for draws from narrow strata. Ranks are counted from the first stratum of the chunk, in 32 bits, and four are
 * written at a time as long as neither a kept pair nor the end of a row comes between.
 */
export function writeStratifiedPairs(
  begin: i32,
  end: i32,
  sources: usize,
  targets: usize,
  weights: usize,
  n: u32,
  directed: i32,
  draws: i32,
  range0: u32,
  range1: u32,
  lo: u32,
  hi: u32,
  floor: f32,
  numKept: i32,
  keptRanks: usize,
  kept: usize,
  signs: usize,
  rowPtr: usize,
  colIdx: usize,
): void {
  const range = fromHalves(range0, range1);
  const base = range / <u64>draws;
  const larger = range % <u64>draws;
  const origin = stratumStart(begin, base, larger);
  let c = begin > 0 ? firstAbove(keptRanks, numKept, stratified(begin - 1, base, larger, lo, hi)) : 0;
  const firstPlace = begin + c;
  let i: u64 = 0;
  let stop: u64 = 0;
  let rowLimit: u32 = 0; // the next ranks below it lie in row i; 0: no row yet
  let toPlace: u32 = 0; // add it to a rank to get the place in row i
  let keptLimit = nextKept(c, numKept, keptRanks, origin); // ranks below it come before kept pair c
  for (let first = begin; first < end; first += BATCH) {
    const count = min(BATCH, end - first);
    narrowStrata(scratch, first, first + count, <u32>base, <u32>larger, <u32>origin, lo, hi);
    let d = 0;
    while (d < count) {
      const from = scratch + ((<usize>d) << 2);
      const at = (<usize>(first + d + c)) << 2;
      const limit = min(rowLimit, keptLimit);
      if (d + 4 <= count) {
        // Writes four at a time. Those at or beyond the limit are overwritten later: their places belong to this chunk.
        const ranks = v128.load(from);
        const places = i32x4.add(ranks, i32x4.splat(toPlace));
        const row = i32x4.splat(<u32>i);
        v128.store(sources + at, row);
        v128.store(
          targets + at,
          directed ? i32x4.sub(places, i32x4.ge_u(places, row)) : i32x4.add(places, i32x4.splat(<u32>i + 1)),
        );
        if (weights) v128.store(weights + at, f32x4.splat(floor));
        const fitting = i32x4.lt_u(ranks, i32x4.splat(limit));
        if (i32x4.all_true(fitting)) {
          d += 4; // a constant, so the next four need not wait for a popcount
          continue;
        }
        d += popcnt(i32x4.bitmask(fitting));
      } else if (load<u32>(from) < limit) {
        const place = load<u32>(from) + toPlace;
        store<u32>(sources + at, <u32>i);
        store<u32>(targets + at, directed ? place + u32(place >= <u32>i) : <u32>i + 1 + place);
        if (weights) store<f32>(weights + at, floor);
        d++;
        continue;
      }
      const rank = load<u32>(scratch + ((<usize>d) << 2));
      if (rank >= keptLimit) {
        copyKept(first + d + c, c, sources, targets, weights, kept, numKept);
        c++;
        keptLimit = nextKept(c, numKept, keptRanks, origin);
        rowLimit -= u32(rowLimit > 0);
        toPlace++;
        continue;
      }
      const index = origin + <u64>rank + <u64>c;
      for (let steps = 0; index >= stop; steps++) {
        i = steps < STEPS && stop > 0 ? i + 1 : rowOf(n, directed, index);
        stop = rowStart(n, directed, i + 1);
      }
      rowLimit = <u32>min<u64>(stop - origin - <u64>c, u32.MAX_VALUE);
      toPlace = <u32>(origin + <u64>c - rowStart(n, directed, i));
    }
  }
  if (end === draws) {
    for (; c < numKept; c++) copyKept(c + end, c, sources, targets, weights, kept, numKept);
  }
  if (signs) sortedSigns(firstPlace, end + c, signs, sources, targets, rowPtr, colIdx);
}
