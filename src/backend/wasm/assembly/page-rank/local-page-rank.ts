// PageRank of a weighted graph by push, nodes begin … end − 1. `reference/local-page-rank.ts` defines it.

import { kthLargest, writeLargest } from "../selection/top-k-rows";
import { giveWorkspace, takeWorkspace } from "../shared/workspaces";

const WAITING: u8 = 1;
const VISITED: u8 = 2;
/** Words per node of a workspace: estimate, residual, queue, list of visited nodes, keys of those reached, their nodes. */
const WORDS: usize = 6;

/** Bytes of a workspace: the words above and a byte of flags per node. */
export function localPageRankBytes(n: i32): f64 {
  return <f64>n * (4 * <f64>WORDS + 1);
}

/** `roots` are the square roots of `degrees`, by node. Between rows, estimates, residuals and flags are 0. */
export function localPageRank(
  begin: i32,
  end: i32,
  columns: usize,
  values: usize,
  support: i32,
  topColumns: usize,
  topValues: usize,
  k: i32,
  rowPtr: usize,
  colIdx: usize,
  weights: usize,
  degrees: usize,
  roots: usize,
  n: i32,
  alpha: f32,
  epsilon: f32,
  symmetric: i32,
  workspaces: usize,
): void {
  const estimate = takeWorkspace(workspaces);
  const words = (<usize>n) << 2;
  const visited = estimate + 3 * words;
  const keys = visited + words;
  const nodes = keys + words;
  const flags = estimate + WORDS * words;
  for (let u = begin; u < end; u++) {
    const size = push(u, rowPtr, colIdx, weights, degrees, alpha, epsilon, estimate, words, flags);
    let count = 0;
    for (let s: usize = 0; s < size; s += 4) {
      const v = load<u32>(visited + s);
      const p = load<f32>(estimate + ((<usize>v) << 2));
      if (p <= 0) continue;
      const to = (<usize>count) << 2;
      store<f32>(keys + to, symmetric ? p / load<f32>(roots + ((<usize>v) << 2)) : p);
      store<u32>(nodes + to, v);
      count++;
    }
    const at = (<usize>u * <usize>support) << 2;
    const kept = writeLargest(columns + at, values + at, keys, nodes, count, support, keyBound(keys, count, support));
    writeValues(columns + at, values + at, kept, support, u, estimate, roots);
    const topAt = (<usize>u * <usize>k) << 2;
    const top = writeLargest(topColumns + topAt, topValues + topAt, keys, nodes, count, k, keyBound(keys, count, k));
    sortAscending(topColumns + topAt, top);
    writeValues(topColumns + topAt, topValues + topAt, top, k, u, estimate, roots);
    for (let s: usize = 0; s < size; s += 4) {
      const v = <usize>load<u32>(visited + s);
      store<f32>(estimate + (v << 2), 0);
      store<f32>(estimate + words + (v << 2), 0);
      store<u8>(flags + v, 0);
    }
  }
  giveWorkspace(workspaces, estimate);
}

/** Leaves the row in `estimate`; returns four times the number of nodes visited. */
function push(
  source: u32,
  rowPtr: usize,
  colIdx: usize,
  weights: usize,
  degrees: usize,
  alpha: f32,
  epsilon: f32,
  estimate: usize,
  words: usize,
  flags: usize,
): usize {
  const residual = estimate + words;
  const queue = residual + words; // a ring: no node waits twice
  const visited = queue + words;
  const keep: f32 = 1 - alpha;
  const unit = alpha * epsilon;
  store<f32>(residual + ((<usize>source) << 2), alpha);
  store<u32>(queue, source);
  store<u32>(visited, source);
  store<u8>(flags + source, WAITING | VISITED);
  let waiting: i32 = 1;
  let head: usize = 0;
  let tail: usize = words === 4 ? 0 : 4;
  let size: usize = 4;
  for (; waiting > 0; waiting--) {
    const v = <usize>load<u32>(queue + head);
    head = head + 4 < words ? head + 4 : 0;
    store<u8>(flags + v, VISITED);
    const at = v << 2;
    const rho = load<f32>(residual + at);
    store<f32>(estimate + at, load<f32>(estimate + at) + rho);
    store<f32>(residual + at, 0);
    const share = (keep * rho) / load<f32>(degrees + at);
    const last = (<usize>load<u32>(rowPtr + at, 4)) << 2;
    for (let e = (<usize>load<u32>(rowPtr + at)) << 2; e < last; e += 4) {
      const w = <usize>load<u32>(colIdx + e);
      const to = w << 2;
      const r = load<f32>(residual + to) + share * load<f32>(weights + e);
      store<f32>(residual + to, r);
      const flag = load<u8>(flags + w);
      if (!flag) {
        store<u8>(flags + w, VISITED);
        store<u32>(visited + size, <u32>w);
        size += 4;
      }
      if (r >= unit * load<f32>(degrees + to) && !(flag & WAITING)) {
        store<u8>(flags + w, WAITING | VISITED);
        store<u32>(queue + tail, <u32>w);
        tail = tail + 4 < words ? tail + 4 : 0;
        waiting++;
      }
    }
  }
  return size;
}

/** A bound that the `most` largest keys reach; 0 where there are not so many. */
function keyBound(keys: usize, count: i32, most: i32): f32 {
  return count > most ? kthLargest(keys, count, most, 0) : 0;
}

/** Replaces keys by estimate_v · √(deg_u / deg_v); places that are left over hold u itself with 0. */
function writeValues(
  columns: usize,
  values: usize,
  count: i32,
  places: i32,
  u: i32,
  estimate: usize,
  roots: usize,
): void {
  const root = load<f32>(roots + ((<usize>u) << 2));
  for (let t = 0; t < places; t++) {
    const at = (<usize>t) << 2;
    if (t >= count) store<i32>(columns + at, u);
    const v = (<usize>load<u32>(columns + at)) << 2;
    store<f32>(values + at, t < count ? (load<f32>(estimate + v) * root) / load<f32>(roots + v) : 0);
  }
}

/** Ascending; few enough for an insertion sort. */
function sortAscending(columns: usize, count: i32): void {
  for (let t = 1; t < count; t++) {
    const column = load<u32>(columns + ((<usize>t) << 2));
    let at = columns + ((<usize>t) << 2);
    for (; at > columns && load<u32>(at - 4) > column; at -= 4) store<u32>(at, load<u32>(at - 4));
    store<u32>(at, column);
  }
}
