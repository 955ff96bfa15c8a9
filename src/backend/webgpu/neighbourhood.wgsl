// A workgroup of 256 has one row of a sparse matrix: PANEL columns of CHUNK neighbours at a time. Four threads share a column:
// thread q of them holds the neighbours k = 4 t + q of the chunk, four in each of x0 … x3. Behind `turn`, four threads share
// a neighbour instead, each with the columns 4 s + q. Rows of more than a chunk are for a kernel of their own (LONG is 1), so that
// the other knows that there is only one. The file after this one has the bindings and does what is to be done (treat).
const CHUNK = 64u;
const PANEL = 64u;
const LOOKED_AT = 64u; // rows among which a workgroup looks for long ones
var<private> x0: vec4f;
var<private> x1: vec4f;
var<private> x2: vec4f;
var<private> x3: vec4f;
var<workgroup> tile: array<f32, CHUNK * PANEL>;
var<workgroup> numbers: array<f32, CHUNK>;

struct Row { first: u32, last: u32, chunks: u32 }

fn rowAt(i: u32) -> Row {
  let first = rowPtr[i];
  let last = rowPtr[i + 1u];
  if (LONG == 0u) { return Row(first, last, 1u); }
  return Row(first, last, (last - first + CHUNK - 1u) / CHUNK);
}

// Neighbours that are no more are the last one again, without weight.
fn weightAt(row: Row, e: u32) -> f32 {
  if (e >= row.last) { return 0.0; }
  if (VALUED == 1u) { return entryValues[e]; }
  return 1.0;
}

fn weightsOf(row: Row, e: u32) -> vec4f {
  return vec4f(weightAt(row, e), weightAt(row, e + 4u), weightAt(row, e + 8u), weightAt(row, e + 12u));
}

fn columnsOf(row: Row, e: u32) -> vec4u {
  let top = row.last - 1u;
  return vec4u(colIdx[min(e, top)], colIdx[min(e + 4u, top)], colIdx[min(e + 8u, top)], colIdx[min(e + 12u, top)]);
}

fn valuesOf(places: vec4u) -> vec4f { return vec4f(X[places.x], X[places.y], X[places.z], X[places.w]); }

// Column c of the neighbours of a chunk.
fn load(row: Row, chunk: u32, q: u32, c: u32) {
  let e = row.first + chunk * CHUNK + q;
  let j0 = columnsOf(row, e) * params.cols + c;
  let j1 = columnsOf(row, e + 16u) * params.cols + c;
  let j2 = columnsOf(row, e + 32u) * params.cols + c;
  let j3 = columnsOf(row, e + 48u) * params.cols + c;
  x0 = valuesOf(j0);
  x1 = valuesOf(j1);
  x2 = valuesOf(j2);
  x3 = valuesOf(j3);
}

// Where a number of the tile lies: no two threads of 32 share a bank, neither when they write nor when they read.
fn tilePlace(k: u32, c: u32) -> u32 { return k * PANEL + (c ^ (((k & 3u) << 3u) | (k & 4u))); }

fn turnFour(k: u32, c: u32, x: vec4f) {
  tile[tilePlace(k, c)] = x.x;
  tile[tilePlace(k + 4u, c)] = x.y;
  tile[tilePlace(k + 8u, c)] = x.z;
  tile[tilePlace(k + 12u, c)] = x.w;
}

fn turn(q: u32, c: u32) {
  turnFour(q, c, x0);
  turnFour(q + 16u, c, x1);
  turnFour(q + 32u, c, x2);
  turnFour(q + 48u, c, x3);
}

// Each neighbour gives one number; all threads get the largest, or the sum.
fn give(k: u32, q: u32, x: f32) {
  workgroupBarrier();
  if (q == 0u) { numbers[k] = x; }
  workgroupBarrier();
}

fn largest(k: u32, q: u32, x: f32) -> f32 {
  give(k, q, x);
  var top = numbers[q];
  for (var t = 1u; t < 16u; t++) { top = max(top, numbers[4u * t + q]); }
  return maxLanes(top, 0u);
}

fn sumOf(k: u32, q: u32, x: f32) -> f32 {
  give(k, q, x);
  var sum = numbers[q];
  for (var t = 1u; t < 16u; t++) { sum += numbers[4u * t + q]; }
  return sumLanes(sum, 0u);
}

fn numbersFrom(k: u32) -> vec4f { return vec4f(numbers[k], numbers[k + 4u], numbers[k + 8u], numbers[k + 12u]); }

// Σ_k number_k x_k over the chunk in the column of this thread, once all have given their numbers.
fn weighedSum(q: u32) -> f32 {
  var sum = dot(numbersFrom(q), x0);
  sum += dot(numbersFrom(q + 16u), x1);
  sum += dot(numbersFrom(q + 32u), x2);
  sum += dot(numbersFrom(q + 48u), x3);
  return sumLanes(sum, 0u);
}

var<workgroup> longRows: array<u32, LOOKED_AT>;
var<workgroup> nextLong: atomic<u32>;
var<workgroup> numLong: u32;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = groupIndex(group, groups);
  if (LONG == 0u) {
    if (index >= params.rows) { return; }
    let row = rowAt(index);
    if (row.last - row.first <= CHUNK) { treat(index, row, local); }
    return;
  }
  if (local == 0u) { atomicStore(&nextLong, 0u); }
  workgroupBarrier();
  let candidate = index * LOOKED_AT + local;
  if (local < LOOKED_AT && candidate < params.rows) {
    if (rowPtr[candidate + 1u] - rowPtr[candidate] > CHUNK) { longRows[atomicAdd(&nextLong, 1u)] = candidate; }
  }
  workgroupBarrier();
  if (local == 0u) { numLong = atomicLoad(&nextLong); }
  let count = workgroupUniformLoad(&numLong);
  for (var t = 0u; t < count; t++) {
    let i = workgroupUniformLoad(&longRows[t]);
    treat(i, rowAt(i), local);
  }
}
