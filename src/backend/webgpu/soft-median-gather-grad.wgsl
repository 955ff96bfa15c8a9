// What each row can tell of Soft Median's gradient, by one workgroup, which gathers its neighbours once: with q = a share,
// W = Σ a, e_j = W ⟨dY_i, x_j⟩ and ē = Σ q e, dValues_e = share (e_j − ē) + ē / W; as terms direct_e = W q and
// pull_e = −q (e_j − ē) / (T cols c), 0 where c = 0; and medianGrad_i = −Σ_e pull_e (x_j − m_i).
struct Params { rows: u32, cols: u32, temperature: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> terms: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> dValues: array<f32>;
@group(0) @binding(3) var<storage, read_write> medianGrad: array<f32>;
@group(0) @binding(4) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(5) var<storage, read> colIdx: array<u32>;
@group(0) @binding(6) var<storage, read> entryValues: array<f32>;
@group(0) @binding(7) var<storage, read> X: array<f32>;
@group(0) @binding(8) var<storage, read> shares: array<f32>;
@group(0) @binding(9) var<storage, read> median: array<f32>;
@group(0) @binding(10) var<storage, read> dY: array<f32>;

var<private> center: f32; // the median of the column of this thread, and the gradient there
var<private> gradient: f32;
var<private> isSquare: bool;

fn summand(t: u32) -> vec4f {
  if (isSquare) { return (x[t] - center) * (x[t] - center); }
  return gradient * x[t];
}

// What a neighbour has in common with the gradient, and the square of its distance.
struct Sums { dot: f32, square: f32 }

fn sumsOf(i: u32, row: Row, e: u32) -> Sums {
  let start = startAt(row, e);
  var sums = Sums(0.0, 0.0);
  for (var c = 0u; c < params.cols; c++) {
    let at = i * params.cols + c;
    let difference = X[start + c] - median[at];
    sums = Sums(fma(dY[at], X[start + c], sums.dot), fma(difference, difference, sums.square));
  }
  return sums;
}

// Stores what entry e tells, and returns its pull.
fn tell(e: u32, weight: f32, sums: Sums, W: f32, inner: f32) -> f32 {
  let share = shares[e];
  let excess = W * (sums.dot - inner);
  let distance = sqrt(sums.square / f32(params.cols));
  let pull = -weight * share * excess / (params.temperature * f32(params.cols) * distance);
  let finite = select(pull, 0.0, distance == 0.0);
  if (TO_VALUES == 1u) { dValues[e] = share * excess + inner; }
  terms[e] = vec2f(W * weight * share, finite);
  return finite;
}

fn treat(i: u32, row: Row, local: u32) {
  if (row.first == row.last) {
    for (var c = local; c < params.cols; c += SIDE) { medianGrad[i * params.cols + c] = 0.0; }
    return;
  }
  if (LONG == 0u) { treatShort(i, row, local); } else { treatLong(i, row, local); }
}

fn treatShort(i: u32, row: Row, local: u32) {
  let e = row.first + local;
  findStarts(row, local);
  workgroupBarrier();
  var sums = Sums(0.0, 0.0);
  for (var left = 0u; left < params.cols; left += SIDE) {
    let c = left + local;
    load(min(c, params.cols - 1u));
    center = median[i * params.cols + min(c, params.cols - 1u)];
    gradient = dY[i * params.cols + min(c, params.cols - 1u)];
    if (c >= params.cols) {
      center = 0.0;
      x = array<vec4f, QUADS>();
    }
    isSquare = false;
    sums.dot += sumColumns(local);
    isSquare = true;
    sums.square += sumColumns(local);
  }
  let weight = weightAt(row, e);
  let W = sumOf(weight, local);
  let inner = sumOf(weight * select(0.0, shares[min(e, row.last - 1u)], e < row.last) * sums.dot, local);
  var pull = 0.0;
  if (e < row.last) { pull = tell(e, weight, sums, W, inner); }
  give(pull, local);
  for (var left = 0u; left < params.cols; left += SIDE) {
    let c = left + local;
    let at = i * params.cols + min(c, params.cols - 1u);
    if (params.cols > SIDE) { load(min(c, params.cols - 1u)); }
    let sum = weighedSum(median[at]);
    if (c < params.cols) { medianGrad[at] = -sum; }
  }
}

fn treatLong(i: u32, row: Row, local: u32) {
  var W = 0.0;
  var inner = 0.0;
  for (var e = row.first + local; e < row.last; e += SIDE) {
    let sums = sumsOf(i, row, e);
    terms[e] = vec2f(sums.dot, sums.square);
    W += weightAt(row, e);
    inner += weightAt(row, e) * shares[e] * sums.dot;
  }
  W = sumOf(W, local);
  inner = sumOf(inner, local);
  for (var e = row.first + local; e < row.last; e += SIDE) {
    _ = tell(e, weightAt(row, e), Sums(terms[e].x, terms[e].y), W, inner);
  }
  storageBarrier();
  for (var c = local; c < params.cols; c += SIDE) {
    let m = median[i * params.cols + c];
    var sum = 0.0;
    for (var e = row.first; e < row.last; e++) { sum -= terms[e].y * (X[startAt(row, e) + c] - m); }
    medianGrad[i * params.cols + c] = sum;
  }
}
