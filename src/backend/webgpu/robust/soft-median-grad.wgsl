// What each row can tell of Soft Median's gradient: with q = a share, W = Σ a, e_j = W ⟨dY_i, x_j⟩ and ē = Σ q e, dValues_e =
// share (e_j − ē) + ē / W, and as terms direct_e = W q and pull_e = −q (e_j − ē) / (T cols c), 0 where c = 0. LANES threads per
// row.
struct Params { rows: u32, cols: u32, temperature: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> dValues: array<f32>;
@group(0) @binding(2) var<storage, read_write> terms: array<vec2f>;
@group(0) @binding(3) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(4) var<storage, read> entryValues: array<f32>;
@group(0) @binding(5) var<storage, read> shares: array<f32>;
@group(0) @binding(6) var<storage, read> dots: array<f32>;
@group(0) @binding(7) var<storage, read> distances: array<f32>;

fn weightOf(e: u32) -> f32 {
  if (VALUED == 1u) { return entryValues[e]; }
  return 1.0;
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
  var W = 0.0;
  var inner = 0.0;
  for (var e = first + lane; e < last; e += LANES) {
    W += weightOf(e);
    inner += weightOf(e) * shares[e] * dots[e];
  }
  W = sumLanes(W, local);
  inner = sumLanes(inner, local);
  for (var e = first + lane; e < last; e += LANES) {
    let excess = W * (dots[e] - inner);
    let q = weightOf(e) * shares[e];
    if (TO_VALUES == 1u) { dValues[e] = shares[e] * excess + inner; }
    if (TO_X == 1u) {
      let c = distances[e];
      let pull = select(-q * excess / (params.temperature * f32(params.cols) * c), 0.0, c == 0.0);
      terms[e] = vec2f(W * q, pull);
    }
  }
}
