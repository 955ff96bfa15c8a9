// Lower weighted median of each column of X over the entries of each sparse row, and the first neighbour that holds it.
// One thread per (row, column) narrows an interval whose ends are always values of neighbours. It cuts at first where
// the cumulated weight would be half if it grew evenly with the value, then in the middle of the values, and later, so
// that it cannot take too many rounds, in the middle of the integers that order floats. Weights are rounded to whole
// numbers with a sum below 2^30, times one power of two: their sums are exact, so that a cumulated weight of exactly
// half is recognised. A workgroup has PANEL columns of THREADS / PANEL rows; what it gathers of rows of up to STAGED
// entries stays in workgroup memory.
// uses: entry-weight, order-key, threads
// constants: PANEL, THREADS
// params: rows u32, cols u32, panels u32
// writes: median f32, holder i32
// reads: rowPtr u32, colIdx u32, X f32

const ROWS = THREADS / PANEL;
const STAGED = 64u;
var<workgroup> keys: array<u32, STAGED * THREADS>;
var<workgroup> weights: array<u32, STAGED * ROWS>;

fn fixed(e: u32, scale: f32) -> u32 {
  return u32(round(weightOf(e) * scale));
}

fn gatheredKey(e: u32, c: u32) -> u32 {
  return orderKey(X[colIdx[e] * params.cols + c]);
}

@compute @workgroup_size(THREADS)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  let r = local / PANEL;
  let row = (index / params.panels) * ROWS + r;
  let column = (index % params.panels) * PANEL + local % PANEL;
  let c = min(column, params.cols - 1u); // threads beyond the last column repeat it: they help with the weights
  var first = 0u;
  var length = 0u;
  if (row < params.rows) {
    first = rowPtr[row];
    length = rowPtr[row + 1u] - first;
  }
  let isStaged = length <= STAGED;

  var sum = 0.0;
  var low = 0xffffffffu;
  var high = 0u;
  for (var k = 0u; k < length; k++) {
    sum += weightOf(first + k);
    let key = gatheredKey(first + k, c);
    if (isStaged) { keys[k * THREADS + local] = key; }
    low = min(low, key);
    high = max(high, key);
  }
  let exponent = i32((bitcast<u32>(sum) >> 23u) & 255u);
  let scale = select(0.0, bitcast<f32>(u32(min(254, 282 - exponent)) << 23u), sum > 0.0);
  if (isStaged) {
    for (var k = local % PANEL; k < length; k += PANEL) { weights[k * ROWS + r] = fixed(first + k, scale); }
  }
  workgroupBarrier();

  var total = 0u;
  for (var k = 0u; k < length; k++) {
    if (isStaged) { total += weights[k * ROWS + r]; } else { total += fixed(first + k, scale); }
  }
  var below = 0u; // weight below the interval; `upTo`: up to and including its upper end
  var upTo = total;
  for (var round = 0u; low < high; round++) {
    let half = clamp((0.5 * f32(total) - f32(below)) / max(f32(upTo) - f32(below), 1.0), 0.0, 1.0);
    let share = select(0.5, half, round < 5u);
    let between = orderKey((1.0 - share) * keyValue(low) + share * keyValue(high));
    let middle = select(low + (high - low) / 2u, clamp(between, low, high - 1u), round < 12u);
    var cumulated = 0u;
    var down = low; // the largest neighbour up to the middle, and the least above it
    var up = high;
    for (var k = 0u; k < length; k++) {
      var key: u32;
      var weight: u32;
      if (isStaged) {
        key = keys[k * THREADS + local];
        weight = weights[k * ROWS + r];
      } else {
        key = gatheredKey(first + k, c);
        weight = fixed(first + k, scale);
      }
      let isLow = key <= middle;
      cumulated += select(0u, weight, isLow);
      down = max(down, select(down, key, isLow));
      up = min(up, select(key, up, isLow));
    }
    if (2u * cumulated >= total) {
      high = down;
      upTo = cumulated;
    } else {
      low = up;
      below = cumulated;
    }
  }
  if (row >= params.rows || column > c) { return; }
  let at = row * params.cols + c;
  if (length == 0u) {
    median[at] = 0.0;
    holder[at] = -1;
    return;
  }
  var k = 0u;
  if (isStaged) {
    while (keys[k * THREADS + local] != low) { k++; }
  } else {
    while (gatheredKey(first + k, c) != low) { k++; }
  }
  let j = colIdx[first + k];
  median[at] = X[j * params.cols + c];
  holder[at] = i32(j);
}
