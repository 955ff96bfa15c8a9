// Softmax of each row, or its logarithm where LOG is 1. LANES threads per row.
struct Params { rows: u32, cols: u32, lowest: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> X: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = threadIndex(group, groups, local) / LANES;
  let lane = local % LANES;
  let first = row * params.cols;
  let cols = select(0u, params.cols, row < params.rows);
  var top = params.lowest;
  for (var c = lane; c < cols; c += LANES) { top = max(top, X[first + c]); }
  top = maxLanes(top, local);
  var sum = 0.0;
  for (var c = lane; c < cols; c += LANES) { sum += exp(X[first + c] - top); }
  sum = sumLanes(sum, local);
  let logSum = log(sum);
  for (var c = lane; c < cols; c += LANES) {
    let shifted = X[first + c] - top;
    if (LOG == 1u) { out[first + c] = shifted - logSum; } else { out[first + c] = exp(shifted) / sum; }
  }
}
