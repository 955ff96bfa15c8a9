// The KEPT largest entries in rows of PageRank, of graphs of NODES nodes side by side. PageRank is symmetric: a workgroup solves for some of its
// columns, which are rows, from beginning to end, and shares the iterate that neighbours are gathered from; the one before last is needed only by the thread of a row.
//
// The iterates are those of page-rank.ts, divided by their Chebyshev values and by the degrees: with z_0 = 0, z_1 = f and ω_1 = 2,
//   ω_{k+1} = 1 / (1 − ρ²ω_k / 4),  z_{k+1} = z_{k−1} + ω_{k+1}(ρ·D⁻¹(A + I)z_k + f − z_{k−1}),
// where f is α / √deg at the node of the column. PageRank is z·√deg. Rows stand in the order of rank-rows.wgsl, entries in slices as slice-rows.wgsl says.
// uses: largest-in-workgroup, threads
// requires: Columns, COLUMNS, columnOf(x, c), unitColumn(c)
// constants: KEPT, NODES, THREADS, ROWS
// params: graphs u32, steps u32, alpha f32
// writes: columns u32, largest f32
// reads: slicePtr u32, slices u32, nodes u32, inverses f32

const SLICE = 32u;
const SLICES = (NODES + SLICE - 1u) / SLICE;
const GROUPS = (NODES + COLUMNS - 1u) / COLUMNS; // workgroups of a graph

var<workgroup> now: array<Columns, NODES + 1u>; // the last stands for neighbours that do not exist
// The iterate before, of the rows of this thread. The first are named by constants, so that they stay in registers.
var<private> before: array<Columns, 8>;
var<private> further: array<Columns, max(ROWS, 9u) - 8u>;
var<private> graph: u32;

fn valueAt(place: u32, c: u32) -> f32 { return columnOf(now[place], c); }
fn nodeAt(place: u32) -> u32 { return nodes[graph * NODES + place]; }
fn inverseAt(place: u32) -> f32 { return inverses[graph * NODES + place]; }

// The right side f, in columns from place `first` on.
fn rightSide(place: u32, first: u32) -> Columns {
  if (place - first >= COLUMNS) { return Columns(); }
  return unitColumn(place - first) * (params.alpha * sqrt(inverseAt(place)));
}

fn sumOf(two: u32) -> Columns { return now[two & 0xffffu] + now[two >> 16u]; }

// Rows of a slice have the same number of words, so that neighbouring threads stay together. Several words are loaded at once: all threads wait for those of
// the longest rows.
fn sumNeighbours(place: u32) -> Columns {
  let slice = graph * (SLICES + 1u) + place / SLICE;
  let end = slicePtr[slice + 1u];
  var word = slicePtr[slice] + place % SLICE;
  var sum = Columns();
  for (; word + 3u * SLICE < end; word += 4u * SLICE) {
    let first = slices[word];
    let second = slices[word + SLICE];
    let third = slices[word + 2u * SLICE];
    let fourth = slices[word + 3u * SLICE];
    sum += (sumOf(first) + sumOf(second)) + (sumOf(third) + sumOf(fourth));
  }
  if (word + SLICE < end) {
    let first = slices[word];
    let second = slices[word + SLICE];
    sum += sumOf(first) + sumOf(second);
    word += 2u * SLICE;
  }
  if (word < end) { sum += sumOf(slices[word]); }
  return sum;
}

// z_{k+1} of a row, by its z_{k−1}.
fn nextAt(place: u32, omega: f32, last: Columns, first: u32) -> Columns {
  if (place >= NODES) { return last; }
  let walked = ((1.0 - params.alpha) * inverseAt(place)) * sumNeighbours(place);
  return last + omega * (walked + rightSide(place, first) - last);
}

// Puts the next iterate of a row where this one is, which it returns.
fn exchanged(place: u32, next: Columns) -> Columns {
  if (place >= NODES) { return next; }
  let last = now[place];
  now[place] = next;
  return last;
}

fn start(first: u32, local: u32) {
  before = array<Columns, 8>();
  further = array<Columns, max(ROWS, 9u) - 8u>();
  for (var place = local; place < NODES; place += THREADS) { now[place] = rightSide(place, first); }
  if (local == 0u) { now[NODES] = Columns(); }
  workgroupBarrier();
}

// One step: `before` becomes the next iterate and changes places with `now`.
fn advance(omega: f32, first: u32, local: u32) {
  if (ROWS > 0u) { before[0] = nextAt(local, omega, before[0], first); }
  if (ROWS > 1u) { before[1] = nextAt(local + THREADS, omega, before[1], first); }
  if (ROWS > 2u) { before[2] = nextAt(local + 2u * THREADS, omega, before[2], first); }
  if (ROWS > 3u) { before[3] = nextAt(local + 3u * THREADS, omega, before[3], first); }
  if (ROWS > 4u) { before[4] = nextAt(local + 4u * THREADS, omega, before[4], first); }
  if (ROWS > 5u) { before[5] = nextAt(local + 5u * THREADS, omega, before[5], first); }
  if (ROWS > 6u) { before[6] = nextAt(local + 6u * THREADS, omega, before[6], first); }
  if (ROWS > 7u) { before[7] = nextAt(local + 7u * THREADS, omega, before[7], first); }
  for (var r = 8u; r < ROWS; r++) { further[r - 8u] = nextAt(local + r * THREADS, omega, further[r - 8u], first); }
  workgroupBarrier();
  if (ROWS > 0u) { before[0] = exchanged(local, before[0]); }
  if (ROWS > 1u) { before[1] = exchanged(local + THREADS, before[1]); }
  if (ROWS > 2u) { before[2] = exchanged(local + 2u * THREADS, before[2]); }
  if (ROWS > 3u) { before[3] = exchanged(local + 3u * THREADS, before[3]); }
  if (ROWS > 4u) { before[4] = exchanged(local + 4u * THREADS, before[4]); }
  if (ROWS > 5u) { before[5] = exchanged(local + 5u * THREADS, before[5]); }
  if (ROWS > 6u) { before[6] = exchanged(local + 6u * THREADS, before[6]); }
  if (ROWS > 7u) { before[7] = exchanged(local + 7u * THREADS, before[7]); }
  for (var r = 8u; r < ROWS; r++) { further[r - 8u] = exchanged(local + r * THREADS, further[r - 8u]); }
  workgroupBarrier();
}

fn finish(local: u32) {
  for (var place = local; place < NODES; place += THREADS) { now[place] *= inverseSqrt(inverseAt(place)); }
  workgroupBarrier();
}

fn writeLargest(c: u32, row: u32, local: u32) {
  takeLargest(c, local);
  for (var t = local; t < KEPT; t += THREADS) {
    let entry = takenEntries[t];
    let at = row * KEPT + rankOf(entry);
    columns[at] = graph * NODES + (entry >> 16u);
    largest[at] = valueAt(entry & 0xffffu, c);
  }
  workgroupBarrier();
}

@compute @workgroup_size(THREADS)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  if (index >= params.graphs * GROUPS) { return; }
  graph = index / GROUPS;
  let first = index % GROUPS * COLUMNS;
  let rho = 1.0 - params.alpha;
  var omega = 2.0;
  start(first, local);
  for (var step = 0u; step < params.steps; step++) {
    omega = 1.0 / (1.0 - 0.25 * rho * rho * omega);
    advance(omega, first, local);
  }
  finish(local);
  for (var c = 0u; c < min(COLUMNS, NODES - first); c++) { writeLargest(c, graph * NODES + nodeAt(first + c), local); }
}
