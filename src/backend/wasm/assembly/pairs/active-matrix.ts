// The active pairs of a block as a sparse matrix: counts the entries of each row, then scatters them. Pairs in
// ascending order fill every row in ascending order, mirror images first. Rows are sorted at the end only if the pairs
// were not. Threads count and scatter parts of the list of pairs side by side. A part has a count per row, which
// becomes the place of its next entry in that row, behind the entries of the parts before it.

import { fromHalves } from "./pair-index";
import { listedTargets, listedWeights } from "./pair-lists";

/** Where part p of `count` entries begins. */
function partStart(p: i32, parts: i32, count: i32): usize {
  return (<usize>((<i64>count * <i64>p) / <i64>parts)) << 2;
}

/**
 * Counts the entries of each row in parts begin … end − 1, and their mirror images unless `directed`. Sets `unsorted`
 * to 1 if a pair should come before its predecessor, or if an undirected pair has its larger end first.
 */
export function countEntries(
  begin: i32,
  end: i32,
  counts: usize,
  n: i32,
  parts: i32,
  pairs: usize,
  count: i32,
  directed: i32,
  unsorted: usize,
): void {
  const targets = listedTargets(pairs, count);
  const stride = (<usize>n) << 2;
  let isSorted = true;
  for (let p = begin; p < end; p++) {
    const own = counts + <usize>p * stride;
    memory.fill(own, 0, stride);
    const start = partStart(p, parts, count);
    const stop = partStart(p + 1, parts, count);
    let before = start > 0 ? fromHalves(load<u32>(targets + start - 4), load<u32>(pairs + start - 4)) : 0;
    for (let t = start; t < stop; t += 4) {
      const i = load<u32>(pairs + t);
      const j = load<u32>(targets + t);
      takeNext(own, i);
      if (!directed) takeNext(own, j);
      const pair = fromHalves(j, i);
      isSorted = isSorted && pair >= before && (directed !== 0 || i < j);
      before = pair;
    }
  }
  if (!isSorted) store<i32>(unsorted, 1);
}

/** Turns counts into places, row by row and within a row part by part. */
export function startEntries(rowPtr: usize, counts: usize, n: i32, parts: i32): void {
  const stride = (<usize>n) << 2;
  let place: u32 = 0;
  for (let i: usize = 0; i < stride; i += 4) {
    store<u32>(rowPtr + i, place);
    for (let at = counts + i; at < counts + <usize>parts * stride; at += stride) {
      const entries = load<u32>(at);
      store<u32>(at, place);
      place += entries;
    }
  }
  store<u32>(rowPtr + stride, place);
}

/** Writes the entries of parts begin … end − 1 to their places, and their mirror images unless `directed`. */
export function scatterEntries(
  begin: i32,
  end: i32,
  colIdx: usize,
  values: usize,
  places: usize,
  n: i32,
  parts: i32,
  pairs: usize,
  count: i32,
  directed: i32,
): void {
  for (let p = begin; p < end; p++) {
    const targets = listedTargets(pairs, count);
    const weights = listedWeights(pairs, count);
    const own = places + ((<usize>p * <usize>n) << 2);
    const stop = partStart(p + 1, parts, count);
    for (let t = partStart(p, parts, count); t < stop; t += 4) {
      const i = load<u32>(pairs + t);
      const j = load<u32>(targets + t);
      const value = load<f32>(weights + t);
      storeEntry(colIdx, values, takeNext(own, i), j, value);
      if (!directed) storeEntry(colIdx, values, takeNext(own, j), i, value);
    }
  }
}

/** Sorts rows begin … end − 1 by column. */
export function sortRows(begin: i32, end: i32, rowPtr: usize, colIdx: usize, values: usize): void {
  for (let i = begin; i < end; i++) {
    const row = rowPtr + ((<usize>i) << 2);
    sortRow(colIdx, values, load<u32>(row), load<u32>(row, 4));
  }
}

/** Returns the number of row i and increments it. */
function takeNext(numbers: usize, i: u32): u32 {
  const at = numbers + ((<usize>i) << 2);
  const number = load<u32>(at);
  store<u32>(at, number + 1);
  return number;
}

function storeEntry(colIdx: usize, values: usize, place: u32, j: u32, value: f32): void {
  const at = (<usize>place) << 2;
  store<u32>(colIdx + at, j);
  store<f32>(values + at, value);
}

/** Insertion sort of one row by column: one pass where it is sorted already. */
function sortRow(colIdx: usize, values: usize, first: u32, last: u32): void {
  for (let e = first + 1; e < last; e++) {
    const j = load<u32>(colIdx + ((<usize>e) << 2));
    const value = load<f32>(values + ((<usize>e) << 2));
    let at = e;
    for (; at > first && load<u32>(colIdx + ((<usize>(at - 1)) << 2)) > j; at--) {
      store<u32>(colIdx + ((<usize>at) << 2), load<u32>(colIdx + ((<usize>(at - 1)) << 2)));
      store<f32>(values + ((<usize>at) << 2), load<f32>(values + ((<usize>(at - 1)) << 2)));
    }
    store<u32>(colIdx + ((<usize>at) << 2), j);
    store<f32>(values + ((<usize>at) << 2), value);
  }
}
