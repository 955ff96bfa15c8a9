// What each row can tell of Soft Median's gradient, by one workgroup, which gathers its neighbours once: with q = a share,
// W = Σ a, e_j = W ⟨dY_i, x_j⟩ and ē = Σ q e, dValues_e = share (e_j − ē) + ē / W; as terms direct_e = W q and
// pull_e = −q (e_j − ē) / (T cols c), 0 where c = 0; and medianGrad_i = −Σ_e pull_e (x_j − m_i). Where an entry has `stride` pairs of
// words, those behind the terms say which columns' medians it holds, 64 columns each.
//
// `cols` counts in T, `width` is that of a T.
struct Params { rows: u32, cols: u32, temperature: f32, stride: u32, width: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> terms: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> dValues: array<f32>;
@group(0) @binding(3) var<storage, read_write> medianGrad: array<T>;
@group(0) @binding(4) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(5) var<storage, read> colIdx: array<u32>;
@group(0) @binding(6) var<storage, read> entryValues: array<f32>;
@group(0) @binding(7) var<storage, read> X: array<T>;
@group(0) @binding(8) var<storage, read> shares: array<f32>;
@group(0) @binding(9) var<storage, read> median: array<T>;
@group(0) @binding(10) var<storage, read> dY: array<T>;
@group(0) @binding(11) var<storage, read> holder: array<i32>;

// What a neighbour has in common with the gradient, and the square of its distance.
struct Sums { dot: f32, square: f32 }

// What the columns of a panel add to them, for the neighbour of this thread; its team has them in x.
fn sumsOfPanel(center: T, gradient: T, isThere: bool, local: u32) -> Sums {
  var dots: array<f32, TEAM>;
  var squares: array<f32, TEAM>;
  for (var t = 0u; t < TEAM; t++) {
    let difference = x[t] - center;
    dots[t] = select(0.0, total(gradient * x[t]), isThere);
    squares[t] = select(0.0, total(difference * difference), isThere);
  }
  return Sums(sumTeam(dots, local), sumTeam(squares, local));
}

fn sumsOf(i: u32, row: Row, e: u32) -> Sums {
  let start = startAt(row, e);
  var sums = Sums(0.0, 0.0);
  for (var c = 0u; c < params.cols; c++) {
    let at = i * params.cols + c;
    let difference = X[start + c] - median[at];
    sums = Sums(sums.dot + total(dY[at] * X[start + c]), sums.square + total(difference * difference));
  }
  return sums;
}

// Stores what entry e tells, and returns its pull.
fn tell(e: u32, weight: f32, share: f32, sums: Sums, W: f32, inner: f32) -> f32 {
  let excess = W * (sums.dot - inner);
  let cols = f32(params.cols * params.width);
  let distance = sqrt(sums.square / cols);
  let pull = -weight * share * excess / (params.temperature * cols * distance);
  let finite = select(pull, 0.0, distance == 0.0);
  if (TO_VALUES == 1u) { dValues[e] = share * excess + inner; }
  terms[e * params.stride] = bitcast<vec2u>(vec2f(W * weight * share, finite));
  return finite;
}

fn clear(i: u32, local: u32) {
  for (var c = local; c < params.cols; c += SIDE) { medianGrad[i * params.cols + c] = T(0.0); }
}

fn treatShort(i: u32, row: Row, local: u32) {
  tellStarts(row, local);
  let e = row.first + local;
  let team = local / TEAM;
  let own = i * params.cols + min(local % TEAM, params.cols - 1u);
  let weight = weightAt(row, e);
  let share = select(0.0, shares[min(e, row.last - 1u)], e < row.last);
  let firstMedian = median[own];
  let firstGradient = dY[own];
  let firstHolder = holderOf(i, local);
  workgroupBarrier();
  load(team, min(local % TEAM, params.cols - 1u)); // on its way while weights are added up
  let W = sumOf(weight, local);
  var sums = Sums(0.0, 0.0);
  for (var left = 0u; left < params.cols; left += TEAM) {
    let c = left + local % TEAM;
    let at = i * params.cols + min(c, params.cols - 1u);
    var m = firstMedian;
    var g = firstGradient;
    if (left > 0u) {
      load(team, min(c, params.cols - 1u));
      m = median[at];
      g = dY[at];
    }
    let more = sumsOfPanel(m, g, c < params.cols, local);
    sums = Sums(sums.dot + more.dot, sums.square + more.square);
  }
  let inner = sumOf(weight * share * sums.dot, local);
  var pull = 0.0;
  if (e < row.last) { pull = tell(e, weight, share, sums, W, inner); }
  give(pull, local);
  for (var left = 0u; left < params.cols; left += TEAM) {
    let c = min(left + local % TEAM, params.cols - 1u);
    if (params.cols > TEAM) { load(team, c); }
    var m = firstMedian;
    if (params.cols > TEAM) { m = median[i * params.cols + c]; }
    let sum = weighedSum(m, local);
    if (team == 0u && left + local < params.cols) { medianGrad[i * params.cols + c] = -sum; }
  }
  if (params.stride == 1u) { return; }
  for (var left = 0u; left < params.cols * params.width; left += SIDE) {
    var j = firstHolder;
    if (left > 0u) { j = holderOf(i, left + local); }
    let held = heldBy(j, local);
    if (e < row.last) { terms[e * params.stride + 1u + left / SIDE] = held; }
  }
}

var<workgroup> holds: array<atomic<u32>, 2u * SIDE>;

fn holderOf(i: u32, column: u32) -> i32 {
  let cols = params.cols * params.width;
  if (column >= cols) { return -1; }
  return holder[i * cols + column];
}

// Which of 64 columns the neighbour of this thread holds, given who holds the column that the thread stands for.
fn heldBy(j: i32, local: u32) -> vec2u {
  atomicStore(&holds[local], 0u);
  atomicStore(&holds[SIDE + local], 0u);
  workgroupBarrier();
  if (j >= 0) { atomicOr(&holds[2u * placeOf(u32(j)) + local / 32u], 1u << (local % 32u)); }
  workgroupBarrier();
  let held = vec2u(atomicLoad(&holds[2u * local]), atomicLoad(&holds[2u * local + 1u]));
  workgroupBarrier();
  return held;
}

// The first neighbour that is column j; columns ascend.
fn placeOf(j: u32) -> u32 {
  let start = j * params.cols;
  var quad = 0u;
  for (var step = QUADS / 2u; step > 0u; step /= 2u) {
    if (starts[quad + step].x < start) { quad += step; }
  }
  let before = select(vec4u(0u), vec4u(1u), starts[quad] < vec4u(start));
  return 4u * quad + (before.x + before.y) + (before.z + before.w);
}

// Stores which of 64 columns entry e of row i holds. An entry that is there twice holds them once.
fn tellHeld(i: u32, row: Row, e: u32, left: u32) {
  let j = i32(colIdx[e]);
  let cols = params.cols * params.width;
  var isFirst = true;
  if (e > row.first) { isFirst = i32(colIdx[e - 1u]) != j; }
  var held = vec2u(0u);
  for (var c = left; isFirst && c < min(left + SIDE, cols); c++) {
    if (holder[i * cols + c] == j) { held[(c % SIDE) / 32u] |= 1u << (c % 32u); }
  }
  terms[e * params.stride + 1u + left / SIDE] = held;
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
    _ = tell(e, weightAt(row, e), shares[e], Sums(sums.x, sums.y), W, inner);
    if (params.stride > 1u) {
      for (var left = 0u; left < params.cols * params.width; left += SIDE) { tellHeld(i, row, e, left); }
    }
  }
  storageBarrier();
  for (var c = local; c < params.cols; c += SIDE) {
    let m = median[i * params.cols + c];
    var sum = T(0.0);
    for (var e = row.first; e < row.last; e++) { sum -= bitcast<vec2f>(terms[e * params.stride]).y * (X[startAt(row, e) + c] - m); }
    medianGrad[i * params.cols + c] = sum;
  }
}
