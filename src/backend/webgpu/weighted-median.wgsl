// Lower weighted median of each column over the entries of each sparse row, and the lowest column that holds it. One thread per
// (row, column) narrows an interval, at first in the middle of its values and later, lest it creep, in the middle of the integers
// that order floats; its ends are always neighbours. Weights are whole numbers with a sum below 2^30, times one power of two:
// their sums are exact, so that a cumulated weight of exactly half is recognised.
struct Params { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> median: array<f32>;
@group(0) @binding(2) var<storage, read_write> holder: array<i32>;
@group(0) @binding(3) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(4) var<storage, read> colIdx: array<u32>;
@group(0) @binding(5) var<storage, read> entryValues: array<f32>;
@group(0) @binding(6) var<storage, read> X: array<f32>;

fn weightOf(e: u32) -> f32 {
  if (VALUED == 1u) { return entryValues[e]; }
  return 1.0;
}

fn fixed(e: u32, scale: f32) -> u32 {
  return u32(round(weightOf(e) * scale));
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let at = threadIndex(group, groups, local);
  if (at >= params.rows * params.cols) { return; }
  let row = at / params.cols;
  let c = at % params.cols;
  let first = rowPtr[row];
  let last = rowPtr[row + 1u];
  if (first == last) {
    median[at] = 0.0;
    holder[at] = -1;
    return;
  }
  var sum = 0.0;
  var low = 0xffffffffu;
  var high = 0u;
  for (var e = first; e < last; e++) {
    sum += weightOf(e);
    let key = orderKey(X[colIdx[e] * params.cols + c]);
    low = min(low, key);
    high = max(high, key);
  }
  let exponent = i32((bitcast<u32>(sum) >> 23u) & 255u);
  let scale = select(0.0, bitcast<f32>(u32(min(254, 282 - exponent)) << 23u), sum > 0.0);
  var total = 0u;
  for (var e = first; e < last; e++) { total += fixed(e, scale); }
  for (var round = 0u; low < high; round++) {
    let halfway = orderKey(0.5 * keyValue(low) + 0.5 * keyValue(high));
    let middle = select(low + (high - low) / 2u, clamp(halfway, low, high - 1u), round < 12u);
    var cumulated = 0u;
    var down = low; // the largest neighbour up to the middle, and the least above it
    var up = high;
    for (var e = first; e < last; e++) {
      let key = orderKey(X[colIdx[e] * params.cols + c]);
      if (key <= middle) {
        cumulated += fixed(e, scale);
        down = max(down, key);
      } else {
        up = min(up, key);
      }
    }
    if (2u * cumulated >= total) { high = down; } else { low = up; }
  }
  for (var e = first; e < last; e++) {
    let x = X[colIdx[e] * params.cols + c];
    if (orderKey(x) == low) {
      median[at] = x;
      holder[at] = i32(colIdx[e]);
      break;
    }
  }
}
