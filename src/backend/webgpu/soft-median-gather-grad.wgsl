// What each row can tell of Soft Median's gradient, by one workgroup, which gathers its neighbours once: with q = a share,
// W = Σ a, e_j = W ⟨dY_i, x_j⟩ and ē = Σ q e, dValues_e = share (e_j − ē) + ē / W; as terms direct_e = W q and
// pull_e = −q (e_j − ē) / (T cols c), 0 where c = 0; and medianGrad_i = −Σ_e pull_e (x_j − m_i). Where an entry has `stride` pairs of
// words, those behind the terms say which columns' medians it holds, 64 columns each: column 4 t + i is bit t of half i.
struct Params { rows: u32, cols: u32, temperature: f32, stride: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> terms: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> dValues: array<f32>;
@group(0) @binding(3) var<storage, read_write> medianGrad: array<f32>;
@group(0) @binding(4) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(5) var<storage, read> colIdx: array<u32>;
@group(0) @binding(6) var<storage, read> entryValues: array<f32>;
@group(0) @binding(7) var<storage, read> X: array<f32>;
@group(0) @binding(8) var<storage, read> shares: array<f32>;
@group(0) @binding(9) var<storage, read> median: array<f32>;
@group(0) @binding(10) var<storage, read> dY: array<f32>;
@group(0) @binding(11) var<storage, read> holder: array<i32>;

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
  terms[e * params.stride] = bitcast<vec2u>(vec2f(W * weight * share, finite));
  return finite;
}

fn holdersAt(i: u32, left: u32, t: u32) -> vec4i {
  let c = left + 4u * t;
  let last = params.cols - 1u;
  let first = i * params.cols;
  let all = vec4i(holder[first + min(c, last)], holder[first + min(c + 1u, last)],
    holder[first + min(c + 2u, last)], holder[first + min(c + 3u, last)]);
  return select(vec4i(-1), all, vec4u(c, c + 1u, c + 2u, c + 3u) <= vec4u(last));
}

// Stores which of 64 columns entry e of row i holds. An entry that is there twice holds them once.
fn tellHeld(i: u32, row: Row, e: u32, left: u32) {
  let j = colIdx[e];
  if (e > row.first) {
    if (colIdx[e - 1u] == j) {
      terms[e * params.stride + 1u + left / SIDE] = vec2u(0u);
      return;
    }
  }
  var halves = vec4f(0.0);
  for (var t = 0u; t < QUADS; t++) {
    var holders = vec4i(0);
    if (LONG == 0u) { holders = bitcast<vec4i>(starts[t]); } else { holders = holdersAt(i, left, t); }
    halves += select(vec4f(0.0), vec4f(f32(1u << t)), holders == vec4i(i32(j)));
  }
  let bits = vec4u(halves);
  terms[e * params.stride + 1u + left / SIDE] = vec2u(bits.x | (bits.y << 16u), bits.z | (bits.w << 16u));
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
  if (params.stride == 1u) { return; }
  for (var left = 0u; left < params.cols; left += SIDE) {
    workgroupBarrier();
    if (local < QUADS) { starts[local] = bitcast<vec4u>(holdersAt(i, left, local)); } // where they began is not needed any more
    workgroupBarrier();
    if (e < row.last) { tellHeld(i, row, e, left); }
  }
}

fn treatLong(i: u32, row: Row, local: u32) {
  var W = 0.0;
  var inner = 0.0;
  for (var e = row.first + local; e < row.last; e += SIDE) {
    let sums = sumsOf(i, row, e);
    terms[e * params.stride] = bitcast<vec2u>(vec2f(sums.dot, sums.square));
    W += weightAt(row, e);
    inner += weightAt(row, e) * shares[e] * sums.dot;
  }
  W = sumOf(W, local);
  inner = sumOf(inner, local);
  for (var e = row.first + local; e < row.last; e += SIDE) {
    let sums = bitcast<vec2f>(terms[e * params.stride]);
    _ = tell(e, weightAt(row, e), Sums(sums.x, sums.y), W, inner);
    if (params.stride > 1u) {
      for (var left = 0u; left < params.cols; left += SIDE) { tellHeld(i, row, e, left); }
    }
  }
  storageBarrier();
  for (var c = local; c < params.cols; c += SIDE) {
    let m = median[i * params.cols + c];
    var sum = 0.0;
    for (var e = row.first; e < row.last; e++) { sum -= bitcast<vec2f>(terms[e * params.stride]).y * (X[startAt(row, e) + c] - m); }
    medianGrad[i * params.cols + c] = sum;
  }
}
