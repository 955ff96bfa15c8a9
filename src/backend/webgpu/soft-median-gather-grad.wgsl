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

var<workgroup> medians: array<f32, PANEL>;
var<workgroup> gradients: array<f32, PANEL>;

fn treat(i: u32, row: Row, local: u32) {
  let q = local & 3u;
  let k = local >> 2u; // a column or a neighbour
  if (row.first == row.last) {
    for (var c = local; c < params.cols; c += WORKGROUP) { medianGrad[i * params.cols + c] = 0.0; }
    return;
  }
  let isWhole = LONG == 0u && params.cols <= PANEL;
  var sums = vec2f(0.0); // dot and square of the distance of a neighbour; those of several chunks wait in the terms
  for (var left = 0u; left < params.cols; left += PANEL) {
    let c = min(left + k, params.cols - 1u);
    if (q == 0u) {
      medians[k] = median[i * params.cols + c];
      gradients[k] = dY[i * params.cols + c];
    }
    for (var chunk = 0u; chunk < row.chunks; chunk++) {
      load(row, chunk, q, c);
      turn(q, k);
      workgroupBarrier();
      var sum = vec2f(0.0);
      for (var s = q; s < min(PANEL, params.cols - left); s += 4u) {
        let x = tile[tilePlace(k, s)];
        let difference = x - medians[s];
        sum += vec2f(gradients[s] * x, difference * difference);
      }
      sum = vec2f(sumLanes(sum.x, 0u), sumLanes(sum.y, 0u));
      let e = row.first + chunk * CHUNK + k;
      if (LONG == 0u) {
        sums += sum;
      } else if (e < row.last && q == 0u) {
        if (left > 0u) { sum += terms[e]; }
        terms[e] = sum;
      }
      workgroupBarrier();
    }
  }

  var W = 0.0;
  var inner = 0.0;
  for (var chunk = 0u; chunk < row.chunks; chunk++) {
    let e = row.first + chunk * CHUNK + k;
    if (e >= row.last || q != 0u) { continue; }
    if (LONG == 1u) { sums = terms[e]; }
    W += weightAt(row, e);
    inner += weightAt(row, e) * shares[e] * sums.x;
  }
  W = sumOf(k, q, W);
  inner = sumOf(k, q, inner);
  var pull = 0.0;
  for (var chunk = 0u; chunk < row.chunks; chunk++) {
    let e = row.first + chunk * CHUNK + k;
    if (e >= row.last || q != 0u) { continue; }
    if (LONG == 1u) { sums = terms[e]; }
    let excess = W * (sums.x - inner);
    let weight = weightAt(row, e) * shares[e];
    let distance = sqrt(sums.y / f32(params.cols));
    if (TO_VALUES == 1u) { dValues[e] = shares[e] * excess + inner; }
    pull = select(-weight * excess / (params.temperature * f32(params.cols) * distance), 0.0, distance == 0.0);
    terms[e] = vec2f(W * weight, pull);
  }
  for (var left = 0u; left < params.cols; left += PANEL) {
    let c = min(left + k, params.cols - 1u);
    let m = median[i * params.cols + c];
    var sum = 0.0;
    for (var chunk = 0u; chunk < row.chunks; chunk++) {
      let e = row.first + chunk * CHUNK + k;
      if (LONG == 1u && e < row.last && q == 0u) { pull = terms[e].y; }
      give(k, q, select(0.0, pull, e < row.last));
      if (!isWhole) { load(row, chunk, q, c); }
      x0 -= vec4f(m);
      x1 -= vec4f(m);
      x2 -= vec4f(m);
      x3 -= vec4f(m);
      sum -= weighedSum(q);
    }
    if (left + k < params.cols && q == 0u) { medianGrad[i * params.cols + c] = sum; }
  }
}
