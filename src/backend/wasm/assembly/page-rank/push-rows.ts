// Personalised PageRank by push, rows begin … end − 1 of the list of nodes. `graph/push/push.ts` explains it and defines every
// bit of the result: the same order of the same float32 operations.
import { offer, writeAscending } from "../selection/top-k-heap";
import { giveWorkspace, takeWorkspace } from "../shared/workspaces";

/** The residual of a node that was never visited: −0, which adds like 0 and which no sum or push leaves behind. */
const UNVISITED: u32 = 0x80000000;
/** Or-ed into its threshold while a node is on the stack: infinity or NaN, above every residual. */
const STACKED: u32 = 0x7f800000;

/**
 * A thread takes one of `slots` workspaces of `stride` bytes for its rows. All that a push asks of a node is in 16 bytes,
 * in one cache line with what its neighbours ask: residual, threshold, where its row starts, estimate; a last record
 * says where the rows end. Then a word per node for results and visited nodes, and the stack, with room for one more.
 * Between rows residuals are −0, thresholds as given, estimates 0.
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
      // Without a branch: whether a node is due cannot be foretold. Floats of 0 and more compare like whole numbers.
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
