// Personalised PageRank by push, rows begin … end − 1 of the list of nodes. `ppr/push.ts` explains it and defines every
// bit of the result: the same order of the same float32 operations.
import { finish, offer } from "./largest";
import { giveSlot, takeSlot } from "./slots";

const STACKED: u8 = 1;
const VISITED: u8 = 2;

/**
 * A thread takes one of `slots` workspaces of `stride` bytes for its rows: estimate, residual, stack and list of
 * visited nodes, a word per node each, then a byte of flags per node. They are all zero between rows.
 */
export function pushRows(
  begin: i32,
  end: i32,
  columns: usize,
  values: usize,
  counts: usize,
  k: i32,
  nodes: usize,
  rowPtr: usize,
  colIdx: usize,
  thresholds: usize,
  n: i32,
  alpha: f32,
  keep: f32,
  locks: usize,
  slots: i32,
  work: usize,
  stride: usize,
): void {
  const slot = takeSlot(locks, slots);
  const words = (<usize>n) << 2;
  const estimate = work + <usize>slot * stride;
  const visited = estimate + 3 * words;
  const flags = visited + words;
  for (let t = begin; t < end; t++) {
    const source = load<u32>(nodes + ((<usize>t) << 2));
    const size = push(source, rowPtr, colIdx, thresholds, alpha, keep, estimate, words);
    const at = (<usize>t * <usize>k) << 2;
    let count = 0;
    for (let s: usize = 0; s < size; s += 4) {
      const v = load<u32>(visited + s);
      if (load<f32>(estimate + ((<usize>v) << 2)) > 0) count = offer(columns + at, count, k, estimate, v);
    }
    finish(columns + at, values + at, count, estimate);
    store<i32>(counts + ((<usize>t) << 2), count);
    for (let s: usize = 0; s < size; s += 4) {
      const v = <usize>load<u32>(visited + s);
      store<f32>(estimate + (v << 2), 0);
      store<f32>(estimate + words + (v << 2), 0);
      store<u8>(flags + v, 0);
    }
  }
  giveSlot(locks, slot);
}

/** Leaves the row in `estimate`; returns four times the number of nodes visited. */
function push(
  source: u32,
  rowPtr: usize,
  colIdx: usize,
  thresholds: usize,
  alpha: f32,
  keep: f32,
  estimate: usize,
  words: usize,
): usize {
  const residual = estimate + words;
  const stack = residual + words;
  const visited = stack + words;
  const flags = visited + words;
  store<f32>(residual + ((<usize>source) << 2), alpha);
  store<u32>(stack, source);
  store<u32>(visited, source);
  store<u8>(flags + source, STACKED | VISITED);
  let height: usize = 4;
  let size: usize = 4;
  while (height > 0) {
    height -= 4;
    const v = <usize>load<u32>(stack + height);
    store<u8>(flags + v, VISITED);
    const at = v << 2;
    const rho = load<f32>(residual + at);
    store<f32>(estimate + at, load<f32>(estimate + at) + rho);
    store<f32>(residual + at, 0);
    const first = load<u32>(rowPtr + at);
    const last = load<u32>(rowPtr + at, 4);
    const share = (keep * rho) / <f32>(last - first);
    for (let e = first; e < last; e++) {
      const w = <usize>load<u32>(colIdx + ((<usize>e) << 2));
      const to = w << 2;
      const old = load<f32>(residual + to);
      const r = old + share;
      store<f32>(residual + to, r);
      if (old === 0 && !(load<u8>(flags + w) & VISITED)) {
        store<u8>(flags + w, VISITED); // only a node without residual can be new
        store<u32>(visited + size, <u32>w);
        size += 4;
      }
      if (r >= load<f32>(thresholds + to) && !(load<u8>(flags + w) & STACKED)) {
        store<u8>(flags + w, STACKED | VISITED);
        store<u32>(stack + height, <u32>w);
        height += 4;
      }
    }
  }
  return size;
}
