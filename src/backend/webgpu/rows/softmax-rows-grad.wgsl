// Gradient of softmax, Y_i ∘ (dY_i − ⟨dY_i, Y_i⟩), or of its logarithm, dY_i − exp(Y_i)·Σ dY_i, where LOG is 1.
struct Params { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> dX: array<f32>;
@group(0) @binding(2) var<storage, read> dY: array<f32>;
@group(0) @binding(3) var<storage, read> Y: array<f32>;

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
  var sum = 0.0;
  for (var c = lane; c < cols; c += LANES) {
    if (LOG == 1u) { sum += dY[first + c]; } else { sum += dY[first + c] * Y[first + c]; }
  }
  sum = sumLanes(sum, local);
  for (var c = lane; c < cols; c += LANES) {
    let e = first + c;
    if (LOG == 1u) { dX[e] = dY[e] - exp(Y[e]) * sum; } else { dX[e] = Y[e] * (dY[e] - sum); }
  }
}
