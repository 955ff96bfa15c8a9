// out = S·X, S in CSR, added to out where ACCUMULATE is 1. LANES threads per row, each with one T (f32 or vec4f) of a panel of
// columns; all rows of a panel come before the next, so that the rows gathered stay in the cache. A long row is shared by
// the whole workgroup. X may be in two windows, the second from row `split` on.
struct Params { rows: u32, cols: u32, rowGroups: u32, split: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<T>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> colIdx: array<u32>;
@group(0) @binding(4) var<storage, read> entryValues: array<f32>;
@group(0) @binding(5) var<storage, read> X: array<T>;
@group(0) @binding(6) var<storage, read> rest: array<T>;

const ROWS = WORKGROUP / LANES;
const LONG = 512u;
const NONE = 0xffffffffu;
var<workgroup> numLong: u32;
var<workgroup> longRows: array<u32, ROWS>;
var<workgroup> strands: array<T, WORKGROUP>;

fn gathered(j: u32, c: u32) -> T {
  if (WINDOWS == 2u && j >= params.split) { return rest[(j - params.split) * params.cols + c]; }
  return X[j * params.cols + c];
}

fn weighted(e: u32, c: u32) -> T {
  if (VALUED == 1u) { return entryValues[e] * gathered(colIdx[e], c); }
  return gathered(colIdx[e], c);
}

// Σ over the entries first, first + step, … below last, in that order. Four at a time are on their way from memory.
fn sumEntries(first: u32, last: u32, step: u32, c: u32) -> T {
  var sum = T(0.0);
  var e = first;
  for (; e + 3u * step < last; e += 4u * step) {
    let x0 = weighted(e, c);
    let x1 = weighted(e + step, c);
    let x2 = weighted(e + 2u * step, c);
    let x3 = weighted(e + 3u * step, c);
    sum += x0;
    sum += x1;
    sum += x2;
    sum += x3;
  }
  for (; e < last; e += step) { sum += weighted(e, c); }
  return sum;
}

fn store(row: u32, c: u32, sum: T) {
  let at = row * params.cols + c;
  if (ACCUMULATE == 1u) { out[at] += sum; } else { out[at] = sum; }
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = groupIndex(group, groups);
  let firstRow = (index % params.rowGroups) * ROWS;
  let c = (index / params.rowGroups) * LANES + local % LANES;
  let strand = local / LANES;
  let row = firstRow + strand;
  if (local % LANES == 0u) { longRows[strand] = NONE; }
  if (row < params.rows) {
    let first = rowPtr[row];
    let last = rowPtr[row + 1u];
    if (last - first > LONG) {
      if (local % LANES == 0u) { longRows[strand] = row; }
    } else if (c < params.cols && (ACCUMULATE == 0u || last > first)) {
      store(row, c, sumEntries(first, last, 1u, c));
    }
  }
  workgroupBarrier();
  if (local == 0u) {
    var found = 0u;
    for (var r = 0u; r < ROWS; r++) {
      let candidate = longRows[r];
      if (candidate != NONE) {
        longRows[found] = candidate;
        found++;
      }
    }
    numLong = found;
  }
  let count = workgroupUniformLoad(&numLong);
  for (var t = 0u; t < count; t++) {
    let long = workgroupUniformLoad(&longRows[t]);
    if (c < params.cols) { strands[local] = sumEntries(rowPtr[long] + strand, rowPtr[long + 1u], ROWS, c); }
    workgroupBarrier();
    if (strand == 0u && c < params.cols) {
      var sum = T(0.0);
      for (var s = 0u; s < ROWS; s++) { sum += strands[s * LANES + local]; }
      store(long, c, sum);
    }
    workgroupBarrier();
  }
}
