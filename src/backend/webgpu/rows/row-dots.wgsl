// out_i = Σ_c A_ic · B_ic, or Σ_c A_ic where HAS_B is 0. LANES threads per row. T is f32 or vec4f; cols counts in T.
struct Params { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> A: array<T>;
@group(0) @binding(3) var<storage, read> B: array<T>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = threadIndex(group, groups, local) / LANES;
  let lane = local % LANES;
  var sum = 0.0;
  if (row < params.rows) {
    for (var c = lane; c < params.cols; c += LANES) {
      let e = row * params.cols + c;
      if (HAS_B == 1u) { sum += total(A[e] * B[e]); } else { sum += total(A[e]); }
    }
  }
  sum = sumLanes(sum, local);
  if (row < params.rows && lane == 0u) { out[row] = sum; }
}
