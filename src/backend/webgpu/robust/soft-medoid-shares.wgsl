// Soft Medoid: δ_e = Σ_l a_l ‖x_e − x_l‖ over the entries of a row, s = softmax(−δ / T), and q = s a / Σ s a (WEIGHTED) or s.
struct Params { rows: u32, cols: u32, temperature: f32, lowest: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> shares: array<f32>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> colIdx: array<u32>;
@group(0) @binding(4) var<storage, read> entryValues: array<f32>;
@group(0) @binding(5) var<storage, read> X: array<f32>;

fn weightOf(e: u32) -> f32 {
  if (VALUED == 1u) { return entryValues[e]; }
  return 1.0;
}

fn apart(i: u32, j: u32) -> f32 {
  var sum = 0.0;
  for (var c = 0u; c < params.cols; c++) {
    let d = X[i * params.cols + c] - X[j * params.cols + c];
    sum += d * d;
  }
  return sqrt(sum);
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = threadIndex(group, groups, local) / LANES;
  let lane = local % LANES;
  var first = 0u;
  var last = 0u;
  if (row < params.rows) {
    first = rowPtr[row];
    last = rowPtr[row + 1u];
  }
  var top = params.lowest;
  for (var e = first + lane; e < last; e += LANES) {
    var delta = 0.0;
    for (var l = first; l < last; l++) { delta += weightOf(l) * apart(colIdx[e], colIdx[l]); }
    shares[e] = -delta / params.temperature;
    if (WEIGHTED == 0u || weightOf(e) > 0.0) { top = max(top, shares[e]); }
  }
  top = maxLanes(top, local);
  var Z = 0.0;
  for (var e = first + lane; e < last; e += LANES) {
    var q = 0.0;
    if (WEIGHTED == 0u) { q = exp(shares[e] - top); }
    else if (weightOf(e) > 0.0) { q = exp(shares[e] - top) * weightOf(e); }
    shares[e] = q;
    Z += q;
  }
  Z = sumLanes(Z, local);
  for (var e = first + lane; e < last; e += LANES) {
    if (Z > 0.0) { shares[e] /= Z; }
  }
}
