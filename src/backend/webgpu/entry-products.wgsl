// One number per stored entry e = (i, j): ⟨G_i, X_j⟩, or ‖G_i − X_j‖ / √cols where DISTANCE is 1. LANES threads per row.
struct Params { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> colIdx: array<u32>;
@group(0) @binding(4) var<storage, read> G: array<f32>;
@group(0) @binding(5) var<storage, read> X: array<f32>;

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
  for (var e = first + lane; e < last; e += LANES) {
    var sum = 0.0;
    for (var c = 0u; c < params.cols; c++) {
      let g = G[row * params.cols + c];
      let x = X[colIdx[e] * params.cols + c];
      if (DISTANCE == 1u) { sum += (g - x) * (g - x); } else { sum += g * x; }
    }
    if (DISTANCE == 1u) { sum = sqrt(sum / f32(params.cols)); }
    out[e] = sum;
  }
}
