// Softmax over the entries of each sparse row. LANES threads per row.
struct Params { rows: u32, lowest: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> x: array<f32>;

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
  for (var e = first + lane; e < last; e += LANES) { top = max(top, x[e]); }
  top = maxLanes(top, local);
  var sum = 0.0;
  for (var e = first + lane; e < last; e += LANES) { sum += exp(x[e] - top); }
  sum = sumLanes(sum, local);
  for (var e = first + lane; e < last; e += LANES) { out[e] = exp(x[e] - top) / sum; }
}
