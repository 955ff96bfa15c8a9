// A workgroup of 64 threads has one row of a sparse matrix, SIDE neighbours and SIDE columns at a time: thread t stands for column t
// where columns are looked at, and has all neighbours of it in x, and for neighbour t where neighbours are. Rows of more
// neighbours are for a kernel of their own (LONG is 1), which gathers them again whenever it needs them. Later files
// have the bindings, say what is summed over columns (summand) and do what is to be done (treat).
//
// Workgroup memory decides how many workgroups a processor holds at a time, so x never lies in it as a whole; the file after
// this one takes sums over columns (sumColumns).
const SIDE = 64u;
const QUADS = SIDE / 4u;
const PARTS = SIDE / LANES;
var<private> x: array<vec4f, QUADS>;
var<workgroup> starts: array<vec4u, QUADS>; // where the neighbours begin in X
var<workgroup> numbers: array<vec4f, QUADS>; // one per neighbour
var<workgroup> singles: array<f32, SIDE>;
var<workgroup> parts: array<f32, PARTS>;

struct Row { first: u32, last: u32, quads: u32 }

fn rowAt(i: u32) -> Row {
  let first = rowPtr[i];
  let last = rowPtr[i + 1u];
  if (LONG == 0u) { return Row(first, last, QUADS); }
  return Row(first, last, (last - first + 3u) / 4u);
}

// Neighbours that are no more are the last one again, without weight.
fn weightAt(row: Row, e: u32) -> f32 {
  if (e >= row.last) { return 0.0; }
  if (VALUED == 1u) { return entryValues[e]; }
  return 1.0;
}

fn startAt(row: Row, e: u32) -> u32 { return colIdx[min(e, row.last - 1u)] * params.cols; }

fn findStarts(row: Row, local: u32) {
  if (local >= QUADS) { return; }
  let e = row.first + 4u * local;
  starts[local] = vec4u(startAt(row, e), startAt(row, e + 1u), startAt(row, e + 2u), startAt(row, e + 3u));
}

// Column c of all neighbours; `starts` are there.
fn load(c: u32) {
  for (var t = 0u; t < QUADS; t++) {
    let at = starts[t] + c;
    x[t] = vec4f(X[at.x], X[at.y], X[at.z], X[at.w]);
  }
}

// What column c has in neighbours 4 t … 4 t + 3.
fn valuesAt(row: Row, t: u32, c: u32) -> vec4f {
  if (LONG == 0u) { return x[t]; }
  let e = row.first + 4u * t;
  let at = vec4u(startAt(row, e), startAt(row, e + 1u), startAt(row, e + 2u), startAt(row, e + 3u)) + c;
  return vec4f(X[at.x], X[at.y], X[at.z], X[at.w]);
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

fn totalOf(v: vec4f) -> f32 { return (v.x + v.y) + (v.z + v.w); }

// Σ_k number_k (x_k − origin) in the column of this thread.
fn weighedSum(origin: f32) -> f32 {
  var sum = vec4f(0.0);
  for (var t = 0u; t < QUADS; t++) { sum = fma(numbers[t], x[t] - origin, sum); }
  return totalOf(sum);
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

@compute @workgroup_size(SIDE)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = groupIndex(group, groups);
  if (LONG == 0u) {
    if (index >= params.rows) { return; }
    let row = rowAt(index);
    if (row.last - row.first <= SIDE) { treat(index, row, local); }
    return;
  }
  if (local == 0u) { atomicStore(&nextLong, 0u); }
  workgroupBarrier();
  let candidate = index * SIDE + local;
  if (candidate < params.rows) {
    if (rowPtr[candidate + 1u] - rowPtr[candidate] > SIDE) { longRows[atomicAdd(&nextLong, 1u)] = candidate; }
  }
  workgroupBarrier();
  if (local == 0u) { numLong = atomicLoad(&nextLong); }
  let count = workgroupUniformLoad(&numLong);
  for (var t = 0u; t < count; t++) {
    let i = workgroupUniformLoad(&longRows[t]);
    treat(i, rowAt(i), local);
  }
}
