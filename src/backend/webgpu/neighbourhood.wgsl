// A workgroup of 64 threads has one row of a sparse matrix and SIDE neighbours at a time; where neighbours are looked at, thread t stands
// for neighbour t. Rows of more neighbours are for a kernel of their own (LONG is 1), which gathers them again whenever it needs
// them. Later files say which elements of the neighbours a thread has (x), have the bindings and do what is to be done (treat).
//
// Workgroup memory decides how many workgroups a processor holds at a time, so the neighbours never lie in it as a whole.
const SIDE = 64u;
const QUADS = SIDE / 4u;
const PARTS = SIDE / LANES;
var<workgroup> starts: array<vec4u, QUADS>; // where the neighbours begin in X
var<workgroup> numbers: array<vec4f, QUADS>; // one per neighbour
var<workgroup> singles: array<f32, SIDE>;
var<workgroup> parts: array<f32, PARTS>;

struct Row { first: u32, last: u32 }

fn rowAt(i: u32) -> Row { return Row(rowPtr[i], rowPtr[i + 1u]); }

// Quads of neighbours that loops go over: a constant where rows are short.
fn quadsOf(row: Row) -> u32 {
  if (LONG == 0u) { return QUADS; }
  return (row.last - row.first + 3u) / 4u;
}

// Neighbours that are no more are the last one again, without weight.
fn weightAt(row: Row, e: u32) -> f32 {
  if (e >= row.last) { return 0.0; }
  if (VALUED == 1u) { return entryValues[e]; }
  return 1.0;
}

fn startAt(row: Row, e: u32) -> u32 { return colIdx[min(e, row.last - 1u)] * params.cols; }

// Tells all threads where the neighbours of a short row begin.
fn tellStarts(row: Row, local: u32) {
  if (local >= QUADS) { return; }
  let e = row.first + 4u * local;
  starts[local] = vec4u(startAt(row, e), startAt(row, e + 1u), startAt(row, e + 2u), startAt(row, e + 3u));
}

// Each neighbour gives one number, and all threads see them.
fn give(value: f32, local: u32) {
  singles[local] = value;
  workgroupBarrier();
  if (local < QUADS) {
    let k = 4u * local;
    numbers[local] = vec4f(singles[k], singles[k + 1u], singles[k + 2u], singles[k + 3u]);
  }
  workgroupBarrier();
}

// Sum and largest over all threads, which call these together.
fn sumOf(value: f32, local: u32) -> f32 {
  let part = sumLanes(value, local);
  workgroupBarrier();
  if (local % LANES == 0u) { parts[local / LANES] = part; }
  workgroupBarrier();
  var sum = parts[0];
  for (var p = 1u; p < PARTS; p++) { sum += parts[p]; }
  return sum;
}

fn largestOf(value: f32, local: u32) -> f32 {
  let part = maxLanes(value, local);
  workgroupBarrier();
  if (local % LANES == 0u) { parts[local / LANES] = part; }
  workgroupBarrier();
  var top = parts[0];
  for (var p = 1u; p < PARTS; p++) { top = max(top, parts[p]); }
  return top;
}

var<workgroup> longRows: array<u32, SIDE>;
var<workgroup> nextLong: atomic<u32>;
var<workgroup> numLong: u32;

// The long ones among SIDE rows.
fn treatLongRows(begin: u32, local: u32) {
  if (local == 0u) { atomicStore(&nextLong, 0u); }
  workgroupBarrier();
  let candidate = begin + local;
  if (candidate < params.rows) {
    if (rowPtr[candidate + 1u] - rowPtr[candidate] > SIDE) { longRows[atomicAdd(&nextLong, 1u)] = candidate; }
  }
  workgroupBarrier();
  if (local == 0u) { numLong = atomicLoad(&nextLong); }
  let count = workgroupUniformLoad(&numLong);
  for (var t = 0u; t < count; t++) {
    let i = workgroupUniformLoad(&longRows[t]);
    treatLong(i, rowAt(i), local);
  }
}

@compute @workgroup_size(SIDE)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = groupIndex(group, groups);
  if (LONG == 1u) {
    treatLongRows(index * SIDE, local);
    return;
  }
  if (index >= params.rows) { return; }
  let row = rowAt(index);
  if (row.first == row.last) { clear(index, local); } else if (row.last - row.first <= SIDE) { treatShort(index, row, local); }
}
