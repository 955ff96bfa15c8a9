// Soft Median of a row by one workgroup, which gathers its neighbours once: medians, distances, shares and the weighted sum. Rows
// of more neighbours and columns than it holds are gathered again in pieces.
//
// The weighted median of a column is found by narrowing an interval whose ends are neighbours: at first from the mean by
// steps that would be right for a normal distribution, then where the cumulated weight would be half if it grew evenly in the
// interval and at last, lest it creep, in the middle of the integers that order floats. The first cuts only add up weights, without
// a comparison, which takes a GPU twice as long as an addition. Weights are whole numbers with a sum below 2^24, times one power
// of two: their sums are exact in f32, so that a cumulated weight of exactly half is recognised.
struct Params { rows: u32, cols: u32, temperature: f32, lowest: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read_write> median: array<f32>;
@group(0) @binding(3) var<storage, read_write> holder: array<i32>;
@group(0) @binding(4) var<storage, read_write> shares: array<f32>;
@group(0) @binding(5) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(6) var<storage, read> colIdx: array<u32>;
@group(0) @binding(7) var<storage, read> entryValues: array<f32>;
@group(0) @binding(8) var<storage, read> X: array<f32>;

const ROUGH = 2u; // cuts that only add up weights
const STEP = 0.6; // of the range: the inverse of the density in the middle of 64 points from a normal distribution
var<private> w0: vec4f;
var<private> w1: vec4f;
var<private> w2: vec4f;
var<private> w3: vec4f;
var<workgroup> medians: array<f32, PANEL>;

fn totalOf(x: vec4f) -> f32 { return (x.x + x.y) + (x.z + x.w); }

fn weigh(row: Row, chunk: u32, q: u32, scale: f32) {
  let e = row.first + chunk * CHUNK + q;
  w0 = round(weightsOf(row, e) * scale);
  w1 = round(weightsOf(row, e + 16u) * scale);
  w2 = round(weightsOf(row, e + 32u) * scale);
  w3 = round(weightsOf(row, e + 48u) * scale);
}

// Adds the weights of what is at most `at`: 1 − 10³⁸ d with d = x − at, cut to 0 … 1, is 1 where d is 0 or less, else 0.
fn addLow(sum: vec4f, x: vec4f, w: vec4f, at: f32) -> vec4f {
  return fma(saturate(fma(vec4f(at) - x, vec4f(1e38), vec4f(1.0))), w, sum);
}

// Weight up to a value, the largest neighbour up to it and the least above.
struct Cut { weights: vec4f, down: f32, up: f32 }

fn cutFour(cut: Cut, x: vec4f, w: vec4f, at: f32) -> Cut {
  let isLow = x <= vec4f(at);
  let down = select(vec4f(cut.down), x, isLow);
  let up = select(x, vec4f(cut.up), isLow);
  return Cut(
    addLow(cut.weights, x, w, at),
    max(cut.down, max(max(down.x, down.y), max(down.z, down.w))),
    min(cut.up, min(min(up.x, up.y), min(up.z, up.w))),
  );
}

fn weightsUpTo(row: Row, at: f32, q: u32, c: u32, scale: f32) -> vec4f {
  var sum = vec4f(0.0);
  for (var chunk = 0u; chunk < row.chunks; chunk++) {
    if (LONG == 1u) {
      load(row, chunk, q, c);
      weigh(row, chunk, q, scale);
    }
    sum = addLow(addLow(sum, x0, w0, at), x1, w1, at);
    sum = addLow(addLow(sum, x2, w2, at), x3, w3, at);
  }
  return sum;
}

fn cutRow(row: Row, at: f32, low: f32, high: f32, q: u32, c: u32, scale: f32) -> Cut {
  var even = Cut(vec4f(0.0), low, high);
  var odd = even;
  for (var chunk = 0u; chunk < row.chunks; chunk++) {
    if (LONG == 1u) {
      load(row, chunk, q, c);
      weigh(row, chunk, q, scale);
    }
    even = cutFour(cutFour(even, x0, w0, at), x2, w2, at);
    odd = cutFour(cutFour(odd, x1, w1, at), x3, w3, at);
  }
  let up = -maxLanes(-min(even.up, odd.up), 0u);
  return Cut(even.weights + odd.weights, maxLanes(max(even.down, odd.down), 0u), up);
}

fn medianOf(row: Row, q: u32, c: u32, isThere: bool, scale: f32) -> f32 {
  var low = bitcast<f32>(0x7f7fffffu);
  var high = -low;
  var sum = 0.0;
  for (var chunk = 0u; chunk < row.chunks; chunk++) {
    load(row, chunk, q, c);
    let least = min(min(x0, x1), min(x2, x3));
    let most = max(max(x0, x1), max(x2, x3));
    low = min(low, min(min(least.x, least.y), min(least.z, least.w)));
    high = max(high, max(max(most.x, most.y), max(most.z, most.w)));
    sum += totalOf((x0 + x1) + (x2 + x3));
  }
  low = -maxLanes(-low, 0u);
  high = maxLanes(high, 0u);
  var at = sumLanes(sum, 0u) / f32(row.chunks * CHUNK);
  let step = STEP * (high - low);
  if (!isThere) { high = low; }
  var total = 0.0;
  for (var chunk = 0u; chunk < row.chunks; chunk++) {
    weigh(row, chunk, q, scale);
    total += totalOf((w0 + w1) + (w2 + w3));
  }
  total = sumLanes(total, 0u);

  var below = 0.0; // weight of what lies below the interval, and up to its upper end
  var upTo = total;
  for (var round = 0u; round < 64u && subgroupAny(low < high); round++) {
    let middle = select(low, at, at >= low && at < high);
    var cut: Cut;
    if (round < ROUGH) {
      cut = Cut(weightsUpTo(row, middle, q, c, scale), middle, middle);
    } else {
      cut = cutRow(row, middle, low, high, q, c, scale);
    }
    let weight = sumLanes(totalOf(cut.weights), 0u);
    if (low < high) {
      if (2.0 * weight >= total) {
        high = cut.down;
        upTo = weight;
      } else {
        low = cut.up;
        below = weight;
      }
    }
    if (round < 2u && (below == 0.0 || upTo == total)) {
      at = middle + step * (0.5 - weight / max(total, 1.0));
    } else if (round < 12u) {
      at = low + (high - low) * saturate((0.5 * total - below) / max(upTo - below, 1.0));
    } else {
      at = keyValue((orderKey(low) >> 1u) + (orderKey(high) >> 1u));
    }
    if (!(at >= low && at < high)) { at = low + 0.5 * (high - low); }
  }
  return low;
}

// The first neighbour of the row with this value.
fn placeOf(row: Row, value: f32, q: u32, c: u32) -> u32 {
  var place = 0xffffffffu;
  for (var chunk = 0u; chunk < row.chunks; chunk++) {
    if (LONG == 1u) { load(row, chunk, q, c); }
    let t = vec4u(0u, 4u, 8u, 12u) + chunk * CHUNK + q;
    let none = vec4u(0xffffffffu);
    let k = min(
      min(select(none, t, x0 == vec4f(value)), select(none, t + 16u, x1 == vec4f(value))),
      min(select(none, t + 32u, x2 == vec4f(value)), select(none, t + 48u, x3 == vec4f(value))),
    );
    place = min(place, min(min(k.x, k.y), min(k.z, k.w)));
  }
  return min(minLanes(place, 0u), row.last - row.first - 1u);
}

fn treat(i: u32, row: Row, local: u32) {
  let q = local & 3u;
  let k = local >> 2u; // a column or a neighbour
  if (row.first == row.last) {
    for (var c = local; c < params.cols; c += WORKGROUP) {
      out[i * params.cols + c] = 0.0;
      median[i * params.cols + c] = 0.0;
      holder[i * params.cols + c] = -1;
    }
    return;
  }
  var W = 0.0;
  for (var chunk = 0u; chunk < row.chunks; chunk++) {
    let e = row.first + chunk * CHUNK + q;
    let low = weightsOf(row, e) + weightsOf(row, e + 16u);
    W += totalOf(low + (weightsOf(row, e + 32u) + weightsOf(row, e + 48u)));
  }
  W = sumLanes(W, 0u);
  let exponent = i32((bitcast<u32>(W) >> 23u) & 255u);
  let scale = select(0.0, bitcast<f32>(u32(min(254, 276 - exponent)) << 23u), W > 0.0);

  let isWhole = LONG == 0u && params.cols <= PANEL;
  var square = 0.0; // of the distance of a neighbour; those of several chunks wait in the shares
  for (var left = 0u; left < params.cols; left += PANEL) {
    let isThere = left + k < params.cols;
    let c = min(left + k, params.cols - 1u);
    let m = medianOf(row, q, c, isThere, scale);
    let place = placeOf(row, m, q, c);
    if (isThere && q == 0u) {
      median[i * params.cols + c] = m;
      holder[i * params.cols + c] = i32(colIdx[row.first + place]);
    }
    if (q == 0u) { medians[k] = m; }
    for (var chunk = 0u; chunk < row.chunks; chunk++) {
      if (LONG == 1u) { load(row, chunk, q, c); }
      turn(q, k);
      workgroupBarrier();
      let e = row.first + chunk * CHUNK + k;
      var sum = 0.0;
      for (var s = q; s < min(PANEL, params.cols - left); s += 4u) {
        let difference = tile[tilePlace(k, s)] - medians[s];
        sum += difference * difference;
      }
      sum = sumLanes(sum, 0u);
      if (LONG == 0u) {
        square += sum;
      } else if (e < row.last && q == 0u) {
        if (left > 0u) { sum += shares[e]; }
        shares[e] = sum;
      }
      workgroupBarrier();
    }
  }

  var top = params.lowest;
  for (var chunk = 0u; chunk < row.chunks; chunk++) {
    let e = row.first + chunk * CHUNK + k;
    if (LONG == 1u && e < row.last && q == 0u) { square = shares[e]; }
    if (weightAt(row, e) > 0.0) { top = max(top, -sqrt(square / f32(params.cols)) / params.temperature); }
  }
  top = largest(k, q, top);
  let isWeighed = top > params.lowest;
  var Z = 0.0;
  var share = 0.0;
  for (var chunk = 0u; chunk < row.chunks; chunk++) {
    let e = row.first + chunk * CHUNK + k;
    if (LONG == 1u && e < row.last && q == 0u) { square = shares[e]; }
    share = select(0.0, exp(-sqrt(square / f32(params.cols)) / params.temperature - top), isWeighed);
    if (LONG == 1u && e < row.last && q == 0u) { shares[e] = share; }
    Z += weightAt(row, e) * share;
  }
  Z = sumOf(k, q, Z);
  let factor = select(1.0, 1.0 / Z, Z > 0.0);
  for (var left = 0u; left < params.cols; left += PANEL) {
    let c = min(left + k, params.cols - 1u);
    var sum = 0.0;
    for (var chunk = 0u; chunk < row.chunks; chunk++) {
      let e = row.first + chunk * CHUNK + k;
      var part = share * factor;
      if (e < row.last && q == 0u) {
        if (LONG == 1u) { part = shares[e] * select(1.0, factor, left == 0u); }
        if (left == 0u) { shares[e] = part; }
      }
      give(k, q, W * weightAt(row, e) * part);
      if (!isWhole) { load(row, chunk, q, c); }
      sum += weighedSum(q);
    }
    if (left + k < params.cols && q == 0u) { out[i * params.cols + c] = sum; }
  }
}
