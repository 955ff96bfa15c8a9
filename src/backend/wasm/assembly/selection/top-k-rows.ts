// The k largest entries of each row, rows begin … end − 1. A lower bound on the k-th largest value leaves a few hundred
// candidates of a row; bisection over the bits of the bound then finds the value itself.
import { giveWorkspace, takeWorkspace } from "../shared/workspaces";

/** Bytes of a workspace: maxima of groups, then values and columns of candidates. */
export function topKRowsBytes(cols: i32, k: i32): f64 {
  return 4 * (<f64>groupFloats(k) + 2 * <f64>padded(cols));
}

/** Groups of columns whose maxima are taken: at least k, a multiple of four. */
function groupFloats(k: i32): i32 {
  return (k + 3) & ~3;
}

function padded(cols: i32): i32 {
  return (cols + 3) & ~3;
}

export function topKRows(
  begin: i32,
  end: i32,
  columns: usize,
  values: usize,
  x: usize,
  cols: i32,
  k: i32,
  workspaces: usize,
): void {
  if (k === 0) return;
  const maxima = takeWorkspace(workspaces);
  const candidates = maxima + ((<usize>groupFloats(k)) << 2);
  const candidateColumns = candidates + ((<usize>padded(cols)) << 2);
  for (let i = begin; i < end; i++) {
    const row = x + ((<usize>i * <usize>cols) << 2);
    const least = 2 * k <= cols ? leastMaximum(row, cols, k, maxima) : -f32.MAX_VALUE * 2;
    const count = collect(row, cols, least, candidates, candidateColumns);
    const bound = kthLargest(candidates, count, k, least);
    const at = (<usize>i * <usize>k) << 2;
    writeLargest(columns + at, values + at, candidates, candidateColumns, count, k, bound);
  }
  giveWorkspace(workspaces, maxima);
}

/** The least of the maxima of at least k groups of columns: at least k entries reach it. */
function leastMaximum(row: usize, cols: i32, k: i32, maxima: usize): f32 {
  const groups = groupFloats(k);
  const bytes = (<usize>groups) << 2;
  for (let at: usize = 0; at < bytes; at += 16) v128.store(maxima + at, v128.load(row + at));
  let c = groups;
  for (; c + groups <= cols; c += groups) {
    const from = row + ((<usize>c) << 2);
    for (let at: usize = 0; at < bytes; at += 16) {
      v128.store(maxima + at, f32x4.max(v128.load(maxima + at), v128.load(from + at)));
    }
  }
  let least = f32x4.splat(f32.MAX_VALUE * 2);
  for (let at: usize = 0; at < bytes; at += 16) least = f32x4.min(least, v128.load(maxima + at));
  return min(
    min(f32x4.extract_lane(least, 0), f32x4.extract_lane(least, 1)),
    min(f32x4.extract_lane(least, 2), f32x4.extract_lane(least, 3)),
  );
}

/** Values and columns of the entries that are at least `least`, in order; returns how many there are. */
function collect(row: usize, cols: i32, least: f32, candidates: usize, candidateColumns: usize): i32 {
  const bound = f32x4.splat(least);
  let count: usize = 0;
  let c = 0;
  for (; c + 4 <= cols; c += 4) {
    let mask = i32x4.bitmask(f32x4.ge(v128.load(row + ((<usize>c) << 2)), bound));
    for (; mask; mask &= mask - 1) {
      const j = c + ctz(mask);
      store<f32>(candidates + count, load<f32>(row + ((<usize>j) << 2)));
      store<i32>(candidateColumns + count, j);
      count += 4;
    }
  }
  for (; c < cols; c++) {
    const value = load<f32>(row + ((<usize>c) << 2));
    if (!(value >= least)) continue;
    store<f32>(candidates + count, value);
    store<i32>(candidateColumns + count, c);
    count += 4;
  }
  return <i32>(count >> 2);
}

/** A bound that exactly k candidates reach, or the k-th largest value where others are equal to it. */
export function kthLargest(candidates: usize, count: i32, k: i32, least: f32): f32 {
  if (count === k) return least;
  let largest = least;
  for (let t: usize = 0; t < (<usize>count) << 2; t += 4) largest = max(largest, load<f32>(candidates + t));
  let low = orderOf(least); // at least k reach it
  let high = orderOf(largest) + 1; // fewer do
  while (high - low > 1) {
    const middle = low + ((high - low) >> 1);
    const reached = countFrom(candidates, count, floatOf(middle));
    if (reached === k) return floatOf(middle);
    if (reached > k) low = middle;
    else high = middle;
  }
  return floatOf(low);
}

/** Whole numbers in the order of the floats. */
function orderOf(value: f32): i64 {
  const bits = <i64>reinterpret<i32>(value);
  return bits >= 0 ? bits : -(bits & 0x7fffffff) - 1;
}

function floatOf(order: i64): f32 {
  return reinterpret<f32>(order >= 0 ? <i32>order : <i32>-(order + 1) | <i32>0x80000000);
}

function countFrom(candidates: usize, count: i32, bound: f32): i32 {
  const bounds = f32x4.splat(bound);
  let counts = i32x4.splat(0);
  let t: usize = 0;
  const bytes = (<usize>count) << 2;
  for (; t + 16 <= bytes; t += 16) counts = i32x4.sub(counts, f32x4.ge(v128.load(candidates + t), bounds));
  let total =
    i32x4.extract_lane(counts, 0) +
    i32x4.extract_lane(counts, 1) +
    i32x4.extract_lane(counts, 2) +
    i32x4.extract_lane(counts, 3);
  for (; t < bytes; t += 4) total += <i32>(load<f32>(candidates + t) >= bound);
  return total;
}

/**
 * Writes the k largest of `count` candidates in their order, and their names to `columns`. Of those equal to the bound
 * it takes the first ones that fit. Returns how many it wrote.
 */
export function writeLargest(
  columns: usize,
  values: usize,
  candidates: usize,
  names: usize,
  count: i32,
  k: i32,
  bound: f32,
): i32 {
  const bytes = (<usize>count) << 2;
  let above = 0;
  for (let t: usize = 0; t < bytes; t += 4) above += <i32>(load<f32>(candidates + t) > bound);
  let ties = k - above;
  let to: usize = 0;
  for (let t: usize = 0; t < bytes; t += 4) {
    const value = load<f32>(candidates + t);
    if (!(value > bound) && (value !== bound || --ties < 0)) continue;
    store<i32>(columns + to, load<i32>(names + t));
    store<f32>(values + to, value);
    to += 4;
  }
  return <i32>(to >> 2);
}
