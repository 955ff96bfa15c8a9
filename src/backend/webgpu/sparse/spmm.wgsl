// Sums of gathered rows: factorOf(row) · (startOf(row) + Σ termOf(entry)) over the entries of each row of a sparse
// matrix. `store` receives one T of the result and returns this thread's part of a sum per row and panel, which
// `closeRow` receives.
//
// A team of LANES threads takes a row, each thread one T (f32, vec4f or mat2x4f) of a panel of columns. All rows of a
// panel come before the next panel, so that the gathered rows stay in the cache. The rows of a workgroup lie far apart,
// because nodes with many edges often have neighbouring numbers. Rows longer than LONG are shared by all teams.
// uses: threads
// requires: Entries, entriesOf(row), columnOf(row, e), termOf(row, e, entry, c), startOf(row, c), factorOf(row)
// requires: store(row, c, total), closeRow(row, panel, isDone, share, local)
// constants: T, AT_ONCE, LANES, LONG, THREADS
// params: rows u32, cols u32, rowGroups u32

const TEAMS = THREADS / LANES;
var<workgroup> longRows: array<u32, TEAMS>;
var<workgroup> nextLong: atomic<u32>;
var<workgroup> numLong: u32;
var<workgroup> shares: array<T, THREADS>;

// Σ over the entries first, first + step, … of a row, in that order. AT_ONCE of them (6 or 8) are loaded together, and
// with them the columns of the next; then the rest. Past the end the last entry is loaded again: it is in the cache.
// While AT_ONCE entries are left, no sum depends on a condition, so that a product and its sum are one operation.
fn sumEntries(row: Entries, first: u32, step: u32, c: u32) -> T {
  var sum = T();
  let end = row.length;
  if (first >= end) { return sum; }
  let top = end - 1u;
  var j0 = columnOf(row, first);
  var j1 = columnOf(row, min(first + step, top));
  var j2 = columnOf(row, min(first + 2u * step, top));
  var j3 = columnOf(row, min(first + 3u * step, top));
  var j4 = columnOf(row, min(first + 4u * step, top));
  var j5 = columnOf(row, min(first + 5u * step, top));
  var j6 = j0;
  var j7 = j0;
  if (AT_ONCE > 6u) {
    j6 = columnOf(row, min(first + 6u * step, top));
    j7 = columnOf(row, min(first + 7u * step, top));
  }
  var e = first;
  for (; e + (AT_ONCE - 1u) * step < end; e += AT_ONCE * step) {
    let x0 = termOf(row, e, j0, c);
    let x1 = termOf(row, e + step, j1, c);
    let x2 = termOf(row, e + 2u * step, j2, c);
    let x3 = termOf(row, e + 3u * step, j3, c);
    let x4 = termOf(row, e + 4u * step, j4, c);
    let x5 = termOf(row, e + 5u * step, j5, c);
    var x6 = T();
    var x7 = T();
    if (AT_ONCE > 6u) {
      x6 = termOf(row, e + 6u * step, j6, c);
      x7 = termOf(row, e + 7u * step, j7, c);
    }
    let next = e + AT_ONCE * step;
    j0 = columnOf(row, min(next, top));
    j1 = columnOf(row, min(next + step, top));
    j2 = columnOf(row, min(next + 2u * step, top));
    j3 = columnOf(row, min(next + 3u * step, top));
    j4 = columnOf(row, min(next + 4u * step, top));
    j5 = columnOf(row, min(next + 5u * step, top));
    if (AT_ONCE > 6u) {
      j6 = columnOf(row, min(next + 6u * step, top));
      j7 = columnOf(row, min(next + 7u * step, top));
    }
    sum += x0;
    sum += x1;
    sum += x2;
    sum += x3;
    sum += x4;
    sum += x5;
    if (AT_ONCE > 6u) {
      sum += x6;
      sum += x7;
    }
  }
  if (e >= end) { return sum; }
  let x0 = termOf(row, e, j0, c);
  let x1 = termOf(row, min(e + step, top), j1, c);
  let x2 = termOf(row, min(e + 2u * step, top), j2, c);
  let x3 = termOf(row, min(e + 3u * step, top), j3, c);
  let x4 = termOf(row, min(e + 4u * step, top), j4, c);
  let x5 = termOf(row, min(e + 5u * step, top), j5, c);
  var x6 = T();
  if (AT_ONCE > 6u) { x6 = termOf(row, min(e + 6u * step, top), j6, c); }
  sum += x0;
  if (e + step < end) { sum += x1; }
  if (e + 2u * step < end) { sum += x2; }
  if (e + 3u * step < end) { sum += x3; }
  if (e + 4u * step < end) { sum += x4; }
  if (e + 5u * step < end) { sum += x5; }
  if (AT_ONCE > 6u && e + 6u * step < end) { sum += x6; }
  return sum;
}

@compute @workgroup_size(THREADS)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  let panel = index / params.rowGroups;
  let team = local / LANES;
  let c = panel * LANES + local % LANES;
  let row = index % params.rowGroups + team * params.rowGroups;
  let isThere = team < TEAMS && c < params.cols;
  if (local == 0u) { atomicStore(&nextLong, 0u); }
  workgroupBarrier();
  var share = 0.0;
  var isDone = false;
  if (team < TEAMS && row < params.rows) {
    let entries = entriesOf(row);
    if (entries.length > LONG) {
      if (local % LANES == 0u) { longRows[atomicAdd(&nextLong, 1u)] = row; }
    } else {
      isDone = true;
      if (isThere) {
        let start = startOf(row, c);
        let factor = factorOf(row);
        share = store(row, c, factor * (start + sumEntries(entries, 0u, 1u, c)));
      }
    }
  }
  closeRow(row, panel, isDone, share, local);

  workgroupBarrier();
  if (local == 0u) { numLong = atomicLoad(&nextLong); }
  let count = workgroupUniformLoad(&numLong);
  for (var t = 0u; t < count; t++) {
    let long = workgroupUniformLoad(&longRows[t]);
    if (isThere) { shares[local] = sumEntries(entriesOf(long), team, TEAMS, c); }
    workgroupBarrier();
    share = 0.0;
    if (team == 0u && isThere) {
      var sum = startOf(long, c);
      for (var s = 0u; s < TEAMS; s++) { sum += shares[s * LANES + local]; }
      share = store(long, c, factorOf(long) * sum);
    }
    closeRow(long, panel, team == 0u, share, local);
    workgroupBarrier();
  }
}
