// Soft Median of rows of more than MOST neighbours, which are gathered again whenever they are needed. A workgroup
// looks for such rows among 32 rows and processes them one after the other. Writes the same outputs as
// soft-median.wgsl.
// uses: column-median, neighbourhood, threads
// constants: MOST
// params: rows u32, cols u32, temperature f32, lowest f32
// writes: out f32, median f32, holder i32, kept vec4f
// reads: rowPtr u32, X f32

var<workgroup> longRows: array<u32, THREADS>;
var<workgroup> nextLong: atomic<u32>;
var<workgroup> numLong: u32;

fn exponentOf(i: u32, row: Row, e: u32) -> f32 {
  let start = startAt(row, e);
  var square = 0.0;
  for (var c = 0u; c < params.cols; c++) {
    let difference = X[start + c] - median[i * params.cols + c];
    square = fma(difference, difference, square);
  }
  return -sqrt(square / f32(params.cols)) / params.temperature;
}

fn findMedians(i: u32, row: Row, scale: f32, total: f32, local: u32) {
  for (var c = local; c < params.cols; c += THREADS) {
    let found = medianOfMany(row, c, scale, total, params.lowest);
    median[i * params.cols + c] = found.value;
    holder[i * params.cols + c] = holderOf(row, found);
  }
}

// The weighted sum of the neighbours, 32 entries at a time, so that each exponent is computed only once: when a larger
// exponent comes, the sums so far are scaled down by `fade`.
var<workgroup> shares: array<f32, THREADS>;

fn weightedSum(i: u32, row: Row, W: f32, local: u32) {
  var top = params.lowest;
  var Z = 0.0;
  for (var c = local; c < params.cols; c += THREADS) { out[i * params.cols + c] = 0.0; }
  for (var first = row.first; first < row.last; first += THREADS) {
    let e = first + local;
    let weight = weightAt(row, e);
    let exponent = exponentOf(i, row, e);
    let highest = max(top, maxAll(select(params.lowest, exponent, weight > 0.0), local));
    let fade = select(0.0, exp(top - highest), top > params.lowest);
    workgroupBarrier();
    shares[local] = select(0.0, weight * exp(exponent - highest), weight > 0.0);
    workgroupBarrier();
    top = highest;
    Z = Z * fade + shares[local];
    for (var c = local; c < params.cols; c += THREADS) {
      var sum = fade * out[i * params.cols + c];
      for (var t = 0u; t < min(THREADS, row.last - first); t++) { sum = fma(shares[t], X[startAt(row, first + t) + c], sum); }
      out[i * params.cols + c] = sum;
    }
  }
  Z = sumAll(Z, local);
  let factor = select(0.0, W / Z, Z > 0.0);
  for (var c = local; c < params.cols; c += THREADS) { out[i * params.cols + c] *= factor; }
  if (local == 0u) { kept[i] = vec4f(select(0.0, top, Z > 0.0), factor, W, 1.0); }
}

fn aggregateRow(i: u32, local: u32) {
  let row = rowAt(i);
  var W = 0.0;
  for (var e = row.first + local; e < row.last; e += THREADS) { W += weightAt(row, e); }
  W = sumAll(W, local);
  let scale = scaleOf(W);
  var total = 0.0;
  for (var e = row.first + local; e < row.last; e += THREADS) { total += round(weightAt(row, e) * scale); }
  total = sumAll(total, local);
  findMedians(i, row, scale, total, local);
  storageBarrier();
  weightedSum(i, row, W, local);
}

@compute @workgroup_size(THREADS)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  if (local == 0u) { atomicStore(&nextLong, 0u); }
  workgroupBarrier();
  let candidate = groupIndex(group) * THREADS + local;
  if (candidate < params.rows) {
    if (rowPtr[candidate + 1u] - rowPtr[candidate] > MOST) { longRows[atomicAdd(&nextLong, 1u)] = candidate; }
  }
  workgroupBarrier();
  if (local == 0u) { numLong = atomicLoad(&nextLong); }
  let count = workgroupUniformLoad(&numLong);
  for (var t = 0u; t < count; t++) { aggregateRow(workgroupUniformLoad(&longRows[t]), local); }
}
