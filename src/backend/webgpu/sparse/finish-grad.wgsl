// dZ = dY where Y > 0, else 0, if RELU is 1 (else dZ = dY, which is not stored), and dots_i = Σ_c dZ_ic · (Y_ic − bias_c). LANES
// threads per row. T is f32 or vec4f; cols counts in T.
struct Params { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> dZ: array<T>;
@group(0) @binding(2) var<storage, read_write> dots: array<f32>;
@group(0) @binding(3) var<storage, read> dY: array<T>;
@group(0) @binding(4) var<storage, read> Y: array<T>;
@group(0) @binding(5) var<storage, read> bias: array<T>;

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
      let y = Y[e];
      var z = y;
      if (HAS_BIAS == 1u) { z -= bias[c]; }
      var gradient = dY[e];
      if (RELU == 1u) {
        gradient = select(T(0.0), gradient, y > T(0.0));
        dZ[e] = gradient;
      }
      sum += total(gradient * z);
    }
  }
  sum = sumLanes(sum, local);
  if (row < params.rows && lane == 0u) { dots[row] = sum; }
}
