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
var<private> before: array<Columns, ROWS>; // of the rows of this thread
var<private> graph: u32;

fn valueAt(place: u32, c: u32) -> f32 { return columnOf(now[place], c); }
fn nodeAt(place: u32) -> u32 { return nodes[graph * NODES + place]; }
fn inverseAt(place: u32) -> f32 { return inverses[graph * NODES + place]; }

// The right side f, in columns from place `first` on.
fn rightSide(place: u32, first: u32) -> Columns { return unitColumn(place - first) * (params.alpha * sqrt(inverseAt(place))); }

fn sumNeighbours(place: u32) -> Columns {
  let slice = graph * (SLICES + 1u) + place / SLICE;
  let end = slicePtr[slice + 1u];
  var sum = Columns();
  for (var word = slicePtr[slice] + place % SLICE; word < end; word += SLICE) {
    let two = slices[word];
    sum += now[two & 0xffffu] + now[two >> 16u];
  }
  return sum;
}

fn start(first: u32, local: u32) {
  for (var r = 0u; r < ROWS; r++) {
    let place = local + r * THREADS;
    before[r] = Columns();
    if (place < NODES) { now[place] = rightSide(place, first); }
  }
  if (local == 0u) { now[NODES] = Columns(); }
  workgroupBarrier();
}

// One step: `before` becomes the next iterate and changes places with `now`.
fn advance(omega: f32, first: u32, local: u32) {
  for (var r = 0u; r < ROWS; r++) {
    let place = local + r * THREADS;
    if (place < NODES) {
      let walked = ((1.0 - params.alpha) * inverseAt(place)) * sumNeighbours(place);
      before[r] += omega * (walked + rightSide(place, first) - before[r]);
    }
  }
  workgroupBarrier();
  for (var r = 0u; r < ROWS; r++) {
    let place = local + r * THREADS;
    if (place < NODES) {
      let next = before[r];
      before[r] = now[place];
      now[place] = next;
    }
  }
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
