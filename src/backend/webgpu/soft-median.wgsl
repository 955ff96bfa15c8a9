// Soft Median of a row by one workgroup, which gathers its neighbours once: medians, distances, shares and the weighted sum.
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

var<private> center: f32; // the median of the column of this thread

fn summand(t: u32) -> vec4f { return (x[t] - center) * (x[t] - center); }

fn clear(i: u32, local: u32) {
  for (var c = local; c < params.cols; c += SIDE) {
    out[i * params.cols + c] = 0.0;
    median[i * params.cols + c] = 0.0;
    holder[i * params.cols + c] = -1;
  }
}

// Medians of up to SIDE columns, and of short rows what they add to the square of the distance of each neighbour.
fn findMedians(i: u32, row: Row, left: u32, scale: f32, total: f32, local: u32) -> f32 {
  let c = min(left + local, params.cols - 1u);
  if (LONG == 0u && left > 0u) { load(c); }
  let found = medianOf(row, c, scale, total, params.lowest);
  if (left + local < params.cols) {
    median[i * params.cols + c] = found.value;
    holder[i * params.cols + c] = i32(colIdx[row.first + found.place]);
  }
  if (LONG == 1u) { return 0.0; }
  center = found.value;
  if (left + local >= params.cols) {
    center = 0.0;
    x = array<vec4f, QUADS>();
  }
  return sumColumns(local);
}

fn squareOf(i: u32, row: Row, e: u32) -> f32 {
  let start = startAt(row, e);
  var sum = 0.0;
  for (var c = 0u; c < params.cols; c++) {
    let difference = X[start + c] - median[i * params.cols + c];
    sum = fma(difference, difference, sum);
  }
  return sum;
}

fn exponentOf(square: f32) -> f32 { return -sqrt(square / f32(params.cols)) / params.temperature; }

// The power of two by which weights become whole numbers whose sums are exact.
fn scaleOf(W: f32) -> f32 {
  let exponent = i32((bitcast<u32>(W) >> 23u) & 255u);
  return select(0.0, bitcast<f32>(u32(min(254, 276 - exponent)) << 23u), W > 0.0);
}

fn treatShort(i: u32, row: Row, local: u32) {
  tellStarts(row, local);
  let weight = weightAt(row, row.first + local);
  workgroupBarrier();
  load(min(local, params.cols - 1u)); // on its way while weights are added up
  let W = sumOf(weight, local);
  let scale = scaleOf(W);
  let whole = round(weight * scale);
  give(whole, local);
  let total = sumOf(whole, local);
  var square = 0.0;
  for (var left = 0u; left < params.cols; left += SIDE) {
    square += findMedians(i, row, left, scale, total, local);
  }
  mixShort(i, row, weight, W, square, local);
}

fn treatLong(i: u32, row: Row, local: u32) {
  var W = 0.0;
  for (var e = row.first + local; e < row.last; e += SIDE) { W += weightAt(row, e); }
  W = sumOf(W, local);
  let scale = scaleOf(W);
  var total = 0.0;
  for (var e = row.first + local; e < row.last; e += SIDE) { total += round(weightAt(row, e) * scale); }
  total = sumOf(total, local);
  for (var left = 0u; left < params.cols; left += SIDE) { _ = findMedians(i, row, left, scale, total, local); }
  storageBarrier();
  mixLong(i, row, W, local);
}

fn mixShort(i: u32, row: Row, weight: f32, W: f32, square: f32, local: u32) {
  let exponent = exponentOf(square);
  let top = largestOf(select(params.lowest, exponent, weight > 0.0), local);
  var share = select(0.0, exp(exponent - top), top > params.lowest);
  let Z = sumOf(weight * share, local);
  share *= select(1.0, 1.0 / Z, Z > 0.0);
  if (row.first + local < row.last) { shares[row.first + local] = share; }
  give(W * weight * share, local);
  for (var left = 0u; left < params.cols; left += SIDE) {
    let c = left + local;
    if (params.cols > SIDE) { load(min(c, params.cols - 1u)); }
    let sum = weighedSum(0.0);
    if (c < params.cols) { out[i * params.cols + c] = sum; }
  }
}

fn mixLong(i: u32, row: Row, W: f32, local: u32) {
  var top = params.lowest;
  for (var e = row.first + local; e < row.last; e += SIDE) {
    let exponent = exponentOf(squareOf(i, row, e));
    shares[e] = exponent;
    if (weightAt(row, e) > 0.0) { top = max(top, exponent); }
  }
  top = largestOf(top, local);
  var Z = 0.0;
  for (var e = row.first + local; e < row.last; e += SIDE) {
    shares[e] = select(0.0, exp(shares[e] - top), top > params.lowest);
    Z += weightAt(row, e) * shares[e];
  }
  Z = sumOf(Z, local);
  for (var e = row.first + local; e < row.last; e += SIDE) { shares[e] *= select(1.0, 1.0 / Z, Z > 0.0); }
  storageBarrier();
  for (var c = local; c < params.cols; c += SIDE) {
    var sum = 0.0;
    for (var e = row.first; e < row.last; e++) { sum += W * weightAt(row, e) * shares[e] * X[startAt(row, e) + c]; }
    out[i * params.cols + c] = sum;
  }
}
