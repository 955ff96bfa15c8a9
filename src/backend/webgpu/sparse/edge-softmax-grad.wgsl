// dx_e = y_e (dy_e − Σ over e's row of dy y). LANES threads per row.
struct Params { rows: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> dx: array<f32>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> dy: array<f32>;
@group(0) @binding(4) var<storage, read> y: array<f32>;

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
  var sum = 0.0;
  for (var e = first + lane; e < last; e += LANES) { sum += dy[e] * y[e]; }
  sum = sumLanes(sum, local);
  for (var e = first + lane; e < last; e += LANES) { dx[e] = y[e] * (dy[e] - sum); }
}
