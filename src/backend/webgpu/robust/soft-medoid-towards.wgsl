// t_e = −q_e (e_j − ē) / T with e_j = scale_i ⟨dY_i, x_j⟩ and ē = Σ q e: the gradient by δ_e; and direct_e = scale_i q_e; and the
// column of each entry, which rows of dX are put together by. What is behind the last entry has none.
struct Params { rows: u32, temperature: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> towards: array<f32>;
@group(0) @binding(2) var<storage, read_write> direct: array<f32>;
@group(0) @binding(3) var<storage, read_write> columns: array<u32>;
@group(0) @binding(4) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(5) var<storage, read> colIdx: array<u32>;
@group(0) @binding(6) var<storage, read> shares: array<f32>;
@group(0) @binding(7) var<storage, read> dots: array<f32>;
@group(0) @binding(8) var<storage, read> scale: array<f32>;

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
  var factor = 0.0;
  if (row < params.rows) { factor = scale[row]; }
  var mean = 0.0;
  for (var e = first + lane; e < last; e += LANES) { mean += shares[e] * factor * dots[e]; }
  mean = sumLanes(mean, local);
  for (var e = first + lane; e < last; e += LANES) {
    towards[e] = -shares[e] * (factor * dots[e] - mean) / params.temperature;
    direct[e] = factor * shares[e];
    columns[e] = colIdx[e];
  }
}
