// Personalised PageRank by push, rows begin … end − 1 of the list of nodes. `graph/push/push.ts` explains it and defines every
// bit of the result: the same order of the same float32 operations.
import { offer, writeAscending } from "../selection/top-k-heap";
import { giveWorkspace, takeWorkspace } from "../shared/workspaces";

/** The residual of a node that was never visited: −0. It adds like 0, and no sum or push results in it. */
const UNVISITED: u32 = 0x80000000;
/** Or-ed into the threshold of a node on the stack: the threshold is then infinity or NaN, above every residual. */
const STACKED: u32 = 0x7f800000;

/**
 * A workspace begins with a record of 16 bytes per node, so that a push needs one cache line per node: residual,
 * threshold, where its row starts, estimate. One more record says where the last row ends. Behind the records there are
 * the results and the visited nodes, a word per node each, and the stack, with room for one word more. Between rows
 * residuals are −0, thresholds as given, estimates 0.
 */
export function pushRows(
  begin: i32,
  end: i32,
  columns: usize,
  values: usize,
  counts: usize,
  k: i32,
  nodes: usize,
  colIdx: usize,
  n: i32,
  alpha: f32,
  keep: f32,
  unit: f32,
  workspaces: usize,
): void {
  const records = takeWorkspace(workspaces);
  const results = records + ((<usize>(n + 1)) << 4);
  const visited = results + ((<usize>n) << 2);
  const stack = visited + ((<usize>n) << 2);
  for (let t = begin; t < end; t++) {
    const source = load<u32>(nodes + ((<usize>t) << 2));
    const size = push(source, colIdx, alpha, keep, unit, records, visited, stack);
    const at = (<usize>t * <usize>k) << 2;
    let count = 0;
    for (let s: usize = 0; s < size; s += 4) {
      const v = <usize>load<u32>(visited + s);
      const estimate = load<f32>(records + (v << 4), 12);
      store<f32>(results + (v << 2), estimate);
      if (estimate > 0) count = offer(columns + at, count, k, results, <u32>v);
    }
    writeAscending(columns + at, values + at, count, results);
    store<i32>(counts + ((<usize>t) << 2), count);
    for (let s: usize = 0; s < size; s += 4) {
      const record = records + ((<usize>load<u32>(visited + s)) << 4);
      store<u32>(record, UNVISITED);
      store<f32>(record, 0, 12);
    }
  }
  giveWorkspace(workspaces, records);
}

/** Leaves the row in the estimates; returns four times the number of nodes visited. */
function push(
  source: u32,
  colIdx: usize,
  alpha: f32,
  keep: f32,
  unit: f32,
  records: usize,
  visited: usize,
  stack: usize,
): usize {
  store<f32>(records + ((<usize>source) << 4), alpha);
  store<u32>(stack, source);
  store<u32>(visited, source);
  let height: usize = 4;
  let size: usize = 4;
  while (height > 0) {
    height -= 4;
    const from = records + ((<usize>load<u32>(stack + height)) << 4);
    const rho = load<f32>(from);
    const first = load<u32>(from, 8);
    const last = load<u32>(from, 24);
    const degree = <f32>(last - first);
    store<f32>(from, 0);
    store<f32>(from, unit * degree, 4);
    store<f32>(from, load<f32>(from, 12) + rho, 12);
    const share = (keep * rho) / degree;
    const stop = colIdx + ((<usize>last) << 2);
    for (let e = colIdx + ((<usize>first) << 2); e < stop; e += 4) {
      const w = load<u32>(e);
      const to = records + ((<usize>w) << 4);
      const old = load<f32>(to);
      const r = old + share;
      store<f32>(to, r);
      // No branch: it could not be predicted. Floats that are not negative compare like whole numbers.
      const threshold = load<u32>(to, 4);
      const isDue = u32(reinterpret<u32>(r) >= threshold);
      store<u32>(to, threshold | (STACKED & (0 - isDue)), 4);
      store<u32>(stack + height, w);
      height += isDue << 2;
      if (reinterpret<u32>(old) === UNVISITED) {
        store<u32>(visited + size, w);
        size += 4;
      }
    }
  }
  return size;
}
