// share_e = exp(−c_e / T) / Σ a exp(−c / T) over the entries of a row, shifted so that it is never 0 / 0, and direct_e = W a share.
struct Params { rows: u32, temperature: f32, lowest: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> shares: array<f32>;
@group(0) @binding(2) var<storage, read_write> direct: array<f32>;
@group(0) @binding(3) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(4) var<storage, read> entryValues: array<f32>;
@group(0) @binding(5) var<storage, read> distances: array<f32>;

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
  var top = params.lowest;
  for (var e = first + lane; e < last; e += LANES) {
    if (weightOf(e) > 0.0) { top = max(top, -distances[e] / params.temperature); }
  }
  top = maxLanes(top, local);
  let isWeighed = top > params.lowest;
  var W = 0.0;
  var Z = 0.0;
  for (var e = first + lane; e < last; e += LANES) {
    let share = select(0.0, closeness(distances[e], top), isWeighed);
    shares[e] = share;
    W += weightOf(e);
    Z += weightOf(e) * share;
  }
  W = sumLanes(W, local);
  Z = sumLanes(Z, local);
  for (var e = first + lane; e < last; e += LANES) {
    let share = select(shares[e], shares[e] / Z, Z > 0.0);
    shares[e] = share;
    direct[e] = W * weightOf(e) * share;
  }
}
